import { callWithin } from '@rookery/rpc/call-within'
import { Browser, letterText, type Person, startMailServer, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PAGE = '/auth/account/mail'

let world: World
let mail: Awaited<ReturnType<typeof startMailServer>>
let number = 0

beforeAll(async () => {
  mail = await startMailServer()
  world = await World.open({ settings: { SMTP_URL: mail.url.reveal() } })
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

const browserOf = async ({ username }: Person) => {
  const browser = new Browser({ base: world.origin, server: world.origin })
  const page = await browser.visit('/auth/sign_in')
  await browser.submit(page, { email: `${username}@example.org`, password: `${username}-password` })
  return browser
}

/** A reader who wants mails of these kinds, and an author. */
const scene = async (...kinds: string[]) => {
  const name = `mail${++number}`
  const [reader, author] = [await world.person(`${name}_reader`), await world.person(`${name}_author`)]
  const browser = await browserOf(reader)
  const wants = async (...wanted: string[]) => {
    const saved = await browser.submit(await browser.visit(PAGE), Object.fromEntries(wanted.map((kind) => [kind, 'true'])))
    expect(saved).toMatchObject({ status: 200, text: expect.stringContaining('Saved.') })
  }
  if (kinds.length > 0) await wants(...kinds)
  const address = `${reader.username}@example.org`
  /** Mails to the reader since the last call. */
  const letters = async () => {
    await world.advance(0)
    const own = mail.letters.filter(({ to }) => to.includes(address))
    mail.letters.splice(0)
    return own
  }
  const mentions = (text = 'tea?', more: Record<string, unknown> = {}) => author.says(`@${reader.username} ${text}`, more)
  return { reader, author, browser, wants, letters, mentions }
}

const header = ({ text }: { text: string }, name: string) =>
  new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'im').exec(text.split('\n\n')[0]!)?.[1]?.replace(/\n\s+/g, ' ').trim()
const unsubscribeLink = (letter: { text: string }) => /<([^>]+)>/.exec(header(letter, 'List-Unsubscribe') ?? '')![1]!

describe('mail about notifications', () => {
  test('is off until it is asked for, by kind, on a page of the login', async () => {
    const { reader, browser, wants, letters, mentions, author } = await scene()
    await mentions()
    await author.follows(reader)
    expect(await letters()).toEqual([])
    const overview = await browser.visit('/auth/account')
    expect(overview.text).toContain('href="/auth/account/mail?lang=en"')
    const ticked = async () =>
      [...(await browser.visit(PAGE)).text.matchAll(/<input[^>]*name="(\w+)"[^>]* checked/g)].map(([, name]) => name)
    expect(await ticked()).toEqual([])
    await wants('mention')
    expect(await ticked()).toEqual(['mention'])
    await mentions()
    await author.reacts('favourite', await reader.says('x'))
    expect((await letters()).map((letter) => header(letter, 'Subject'))).toHaveLength(1)
    await wants()
    await mentions()
    expect(await letters()).toEqual([])
    expect((await new Browser({ base: world.origin, server: world.origin }).visit(PAGE)).text).toContain('name="password"')
  })

  test('says who mentioned its recipient, what they said and where', async () => {
    const { reader, author, letters, mentions } = await scene('mention')
    await author.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Ann\tLee' } })
    const said = await mentions('tea <b>?</b>\n\nor milk', { visibility: 'private' })
    await reader.follows(author)
    const [letter, ...more] = await letters()
    expect(more).toEqual([])
    const host = new URL(world.origin).host
    expect(header(letter!, 'Subject')).toBe(`Ann Lee mentioned you on ${host}`)
    expect(letter!.to).toEqual([`${reader.username}@example.org`])
    const text = letterText(letter!)
    expect(text).toContain(`Ann Lee (@${author.username}) mentioned you on ${host}:\n\n> @${reader.username} tea <b>?</b>\n> or milk\n`)
    expect(text).toContain(said.url)
    expect(text).toContain(unsubscribeLink(letter!))
  })

  test('shows a content warning in place of the text', async () => {
    const { letters, mentions } = await scene('mention')
    await mentions('the gardener', { spoiler_text: 'end of the book' })
    const text = letterText((await letters())[0]!)
    expect(text).toContain('> end of the book\n')
    expect(text).not.toContain('gardener')
  })

  test('comes of follows and of follow requests', async () => {
    const { reader, author, letters } = await scene('follow', 'followRequest')
    const other = await world.person(`${author.username}_2`)
    await author.follows(reader)
    expect((await letters()).map((letter) => header(letter, 'Subject'))).toEqual([expect.stringContaining('is now following you')])
    await reader.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    await other.follows(reader)
    const [letter] = await letters()
    expect(header(letter!, 'Subject')).toContain('wants to follow you')
    expect(letterText(letter!)).toContain(`${world.origin}/@${other.username}\n`)
  })

  test.each<[string, (given: Awaited<ReturnType<typeof scene>>) => Promise<unknown>]>([
    ['the post was deleted', async ({ author, mentions }) => author.asks('DELETE', `/api/v1/statuses/${(await mentions()).id}`)],
    ['its author was blocked', ({ reader, author, mentions }) => mentions().then(() => reader.does('block', author))],
    ['its author was muted', ({ reader, author, mentions }) => mentions().then(() => reader.does('mute', author))],
    ['the policy holds it back', ({ mentions }) => mentions('psst', { visibility: 'direct' })],
    [
      'a filter hides it',
      async ({ reader, mentions }) => {
        const body = { title: 'f', context: ['notifications'], filter_action: 'hide', keywords_attributes: [{ keyword: 'tea' }] }
        expect((await reader.post('/api/v2/filters', body)).status).toBe(200)
        await mentions()
      },
    ],
    [
      'the login was disabled',
      async ({ reader: { username }, mentions }) => {
        await mentions()
        await world.operator().setDisabled(callWithin(30), { username, isDisabled: true })
      },
    ],
    ['it is no longer wanted', ({ mentions, wants }) => mentions().then(() => wants('follow'))],
  ])('does not come when %s', async (_case, act) => {
    const given = await scene('mention')
    await act(given)
    expect(await given.letters()).toEqual([])
  })

  test('comes at most ten times an hour', async () => {
    const { letters, mentions } = await scene('mention')
    // The limit counts by hours of the clock: start a new one.
    world.clock.advance(HOUR - (world.clock.now() % HOUR))
    for (let count = 0; count < 12; count++) await mentions(`${count}`)
    expect(await letters()).toHaveLength(10)
    await world.advance(HOUR)
    await mentions('later')
    expect(await letters()).toHaveLength(1)
  })

  test('is tried again under the same Message-ID when the mail server did not take it', async () => {
    const { letters, mentions } = await scene('mention')
    mail.state.isRefusing = true
    await mentions()
    expect(await letters()).toEqual([])
    mail.state.isRefusing = false
    await query(world, "update auth_jobs._private_jobs set run_at = now() where key like 'mail/%'")
    const [letter, ...more] = await letters()
    expect(more).toEqual([])
    expect(header(letter!, 'Message-ID')).toMatch(/^<notification-\d+\.\d+@127\.0\.0\.1>$/)
  })
})

describe('unsubscribing', () => {
  test('is one POST of the mail program, without signing in, and ends mail of that kind alone', async () => {
    const { reader, author, letters, mentions } = await scene('mention', 'follow')
    await mentions()
    const [letter] = await letters()
    expect(header(letter!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(unsubscribeLink(letter!), { method: 'POST', body, redirect: 'error' })).status).toBe(200)
    await mentions('again')
    await author.follows(reader)
    expect((await letters()).map((each) => header(each, 'Subject'))).toEqual([expect.stringContaining('is now following you')])
  })

  test('takes a button when the link is followed, so that a scanner of mail unsubscribes no one', async () => {
    const { letters, mentions } = await scene('mention')
    await mentions()
    const link = unsubscribeLink((await letters())[0]!)
    const browser = new Browser({ base: world.origin, server: world.origin })
    const page = await browser.visit(link)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('no more mail about mentions of you') })
    await mentions('still')
    expect(await letters()).toHaveLength(1)
    expect(await browser.submit(page, {})).toMatchObject({ status: 200, text: expect.stringContaining('Unsubscribed') })
    await mentions('no more')
    expect(await letters()).toEqual([])
  })

  test.each([
    ['another account', (token: string) => token.replace(/^\d+/, (id) => String(BigInt(id) + 1n))],
    ['another kind', (token: string) => token.replace('.mention.', '.digest.')],
    ['an unknown kind', (token: string) => token.replace('.mention.', '.poll.')],
    ['nothing', () => ''],
  ])('with a link changed to name %s is refused', async (_case, change) => {
    const { letters, mentions } = await scene('mention')
    await mentions()
    const link = new URL(unsubscribeLink((await letters())[0]!))
    link.searchParams.set('token', change(link.searchParams.get('token')!))
    expect([(await fetch(link)).status, (await fetch(link, { method: 'POST' })).status]).toEqual([404, 404])
    await mentions('still')
    expect(await letters()).toHaveLength(1)
  })
})

describe('a digest', () => {
  const findDigests = async () => {
    await query(world, "select auth_jobs.add_job('find-digests')")
    await world.advance(0)
  }

  test('comes once a week while its recipient is away and has not read everything', async () => {
    const { reader, author, letters, mentions } = await scene('digest')
    await mentions('tea?')
    const said = await reader.says('a post')
    await author.reacts('favourite', said)
    await findDigests()
    expect(await letters()).toEqual([])
    await world.advance(8 * DAY)
    await findDigests()
    const [letter, ...more] = await letters()
    expect(more).toEqual([])
    const host = new URL(world.origin).host
    expect(header(letter!, 'Subject')).toBe(`What you have not read on ${host}`)
    const text = letterText(letter!)
    expect(text).toContain(`Unread notifications on ${host}: 2.`)
    expect(text).toContain(`> @${reader.username} tea?\n`)
    expect(text).toContain('And 1 more.')
    await world.advance(8 * DAY)
    await findDigests()
    expect(await letters()).toEqual([])
    await mentions('milk?')
    await world.advance(8 * DAY)
    await findDigests()
    const [next] = await letters()
    expect(letterText(next!)).toContain('milk?')
    expect(letterText(next!)).not.toContain('tea?')
  })

  test('does not come when everything was read', async () => {
    const { reader, letters, mentions } = await scene('digest')
    await mentions()
    await world.idle()
    const [newest] = await reader.notifications()
    await reader.post('/api/v1/markers', { notifications: { last_read_id: newest.id } })
    await world.advance(8 * DAY)
    await findDigests()
    expect(await letters()).toEqual([])
  })

  test('does not come to those who were here in the last week', async () => {
    const { reader, letters, mentions } = await scene('digest')
    await mentions()
    await world.advance(8 * DAY)
    await reader.home()
    await world.rookery.idle()
    await query(world, 'update auth.login set last_seen_on = $2 where account_id = $1', [reader.id, new Date(world.clock.now())])
    await findDigests()
    expect(await letters()).toEqual([])
  })
})

test('a server without mail says that there is none', async () => {
  const quiet = await World.open()
  try {
    const reader = await quiet.person('quiet_reader')
    const browser = new Browser({ base: quiet.origin, server: quiet.origin })
    await browser.submit(await browser.visit('/auth/sign_in'), { email: 'quiet_reader@example.org', password: 'quiet_reader-password' })
    const page = await browser.visit(PAGE)
    expect(page.status).toBe(404)
    expect(page.text).toContain('sends no mail')
    expect(reader.username).toBe('quiet_reader')
  } finally {
    await quiet.close()
  }
})
