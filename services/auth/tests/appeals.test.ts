import { type Browser, letterText, type PageAnswer, type Person, STAFF_SCOPES, startMailServer, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { browser } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// People see what staff did to them, and may appeal it once; staff decide.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const DAY = 86_400_000
const LIST = '/disputes/strikes'

let world: World
let mail: Awaited<ReturnType<typeof startMailServer>>
let moderator: Person
let admin: Browser
let people = 0

const signIn = async (name: string, to: string): Promise<{ inside: Browser; page: PageAnswer }> => {
  const inside = browser(world)
  const page = await inside.submit(await inside.visit(to), { email: `${name}@example.org`, password: `${name}-password` })
  return { inside, page }
}

beforeAll(async () => {
  mail = await startMailServer()
  world = await World.open({ settings: { SMTP_URL: mail.url.reveal() } })
  moderator = await world.person('moderator', { role: 'moderator', scopes: STAFF_SCOPES })
  await world.person('an_admin', { role: 'admin', scopes: STAFF_SCOPES })
  admin = (await signIn('an_admin', '/admin')).inside
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

const heading = ({ text }: PageAnswer) => /<h1>([^<]*)/.exec(text)?.[1]
const notices = ({ text }: PageAnswer) =>
  [...text.matchAll(/<p class="notice[^"]*" role="(?:alert|status)"[^>]*>([^<]*)/g)].map(([, said]) => said)
const acts = async (person: Person, body: object) => {
  expect((await moderator.post(`/api/v1/admin/accounts/${person.id}/action`, body)).status).toBe(200)
}
const warningOf = async (person: Person): Promise<Json> => {
  await world.idle()
  return (await person.notifications('?types[]=moderation_warning'))[0].moderation_warning
}

/** Someone to whom staff did something, in front of its page. */
const struck = async (body: object = { type: 'none', text: 'Be kind' }) => {
  const name = `wren${++people}`
  const person = await world.person(name)
  await acts(person, body)
  const { id } = await warningOf(person)
  const path = `${LIST}/${id}`
  const { inside, page } = await signIn(name, path)
  return { name, person, id, path, inside, page }
}

const decides = (id: string, decision: 'approve' | 'reject', list: PageAnswer) =>
  admin.submit(list, { decision }, `name="appeal_id" value="${id}"`)
const openAppeals = () => admin.go('/admin/appeals')
const letters = async (name: string) => {
  await world.advance(0)
  const own = mail.letters.filter(({ to }) => to.includes(`${name}@example.org`))
  mail.letters.splice(0)
  return own.map((letter) => letterText(letter))
}

describe('what staff did', () => {
  test('is shown to the person it is about, who signs in first, with the text and the posts that are still there', async () => {
    const name = `wren${++people}`
    const person = await world.person(name)
    const [kept, gone] = [await person.says('rude'), await person.says('ruder')]
    const marking = { statusIds: [kept.id, gone.id], action: 'mark_statuses_as_sensitive', text: 'Not <here>\nplease', sendsMail: true }
    await world.operator().actOnStatuses(innerCall(), marking)
    const { id } = await warningOf(person)
    await person.asks('DELETE', `/api/v1/statuses/${gone.id}`)
    await world.idle()
    const asked = await browser(world).go(`${LIST}/${id}`)
    expect([asked.status, asked.location]).toEqual([303, `/auth/sign_in?lang=en&return_to=${encodeURIComponent(`${LIST}/${id}`)}`])
    const { page, inside } = await signIn(name, `${LIST}/${id}`)
    expect([page.status, heading(page)]).toEqual([200, expect.stringContaining('are marked as sensitive')])
    expect(page.text).toContain('<p>Not &lt;here&gt;</p><p>please</p>')
    expect(page.text).toContain(`href="/@${name}/${kept.id}"`)
    expect(page.text).not.toContain(`href="/@${name}/${gone.id}"`)
    expect((await inside.go(LIST)).text).toContain(`href="${LIST}/${id}?lang=en"`)
    expect((await inside.go(`${LIST}/${id}?lang=de`)).text).toContain('Verwarnungen und Einsprüche')
    expect((await inside.go(`${LIST}/${id}?lang=fr`)).text).toContain('Avertissements et recours')
  })

  test('names the posts of the report that it answers', async () => {
    const name = `wren${++people}`
    const [person, reporter] = [await world.person(name), await world.person(`reporter${people}`)]
    const said = await person.says('rude')
    const report = (await reporter.post('/api/v1/reports', { account_id: person.id, status_ids: [said.id] })).body
    await acts(person, { type: 'silence', report_id: report.id })
    const { page } = await signIn(name, `${LIST}/${(await warningOf(person)).id}`)
    expect(page.text).toContain(`href="/@${name}/${said.id}"`)
  })

  test('is not found for others, as what is not there, also when they appeal', async () => {
    const { path, page } = await struck()
    const { inside } = await struck()
    for (const other of [path, `${LIST}/999999`, `${LIST}/x`]) {
      expect({ other, status: (await inside.go(other)).status }).toEqual({ other, status: 404 })
    }
    const form_token =
      /name="form_token" value="([^"]+)"/.exec((await inside.go(LIST.replace('disputes/strikes', 'auth/account'))).text)?.[1] ?? ''
    const sent = await inside.go(path, { method: 'POST', body: new URLSearchParams({ form_token, text: 'Mine' }) })
    expect(sent.status).toBe(404)
    expect(page.status).toBe(200)
  })

  test('is none of what else is in the log', async () => {
    const { person, inside } = await struck()
    await moderator.post(`/api/v1/admin/accounts/${person.id}/unsilence`)
    const ids = await query(world, `select id from auth.staff_act where account_id = $1 and action = 'unsilence'`, [person.id])
    expect((await inside.go(`${LIST}/${ids.at(0)?.['id']}`)).status).toBe(404)
  })

  test('says that it was taken back, and then cannot be appealed', async () => {
    const { person, inside, path } = await struck({ type: 'silence' })
    await moderator.post(`/api/v1/admin/accounts/${person.id}/unsilence`)
    const page = await inside.go(path)
    expect(notices(page)).toEqual(['This was taken back.'])
    expect(page.text).not.toContain('name="text"')
  })

  test('is mailed with a link to its page', async () => {
    const { name, path } = await struck()
    expect((await letters(name)).join()).toContain(`${world.origin}${path}`)
  })
})

describe('an appeal', () => {
  test('has a text, says what is wrong with it at the field, and is made once', async () => {
    const { inside, page, person } = await struck()
    const blank = await inside.submit(page, { text: ' \n ' })
    expect([blank.status, blank.text]).toEqual([422, expect.stringContaining('id="text-error">Please fill this in.')])
    const long = await inside.submit(blank, { text: 'a'.repeat(2001) })
    expect([long.status, long.text]).toEqual([422, expect.stringContaining('id="text-error">This is too long.')])
    const first = await inside.submit(long, { text: 'I was <kind>' })
    expect([first.status, notices(first)]).toEqual([200, ['Your appeal is waiting for a decision.']])
    expect(first.text).toContain('<p>I was &lt;kind&gt;</p>')
    expect(notices(await inside.submit(long, { text: 'Again' }))).toEqual(['Your appeal is waiting for a decision.'])
    expect((await warningOf(person)).appeal).toEqual({ text: 'I was <kind>', state: 'pending' })
  })

  test('is refused without the token of the form', async () => {
    const { inside, path, person } = await struck()
    const sent = await inside.go(path, { method: 'POST', body: new URLSearchParams({ text: 'Mine' }) })
    expect(sent.status).toBe(403)
    expect((await warningOf(person)).appeal).toBeNull()
  })

  test('comes too late after twenty days', async () => {
    const { inside, page, path, id, person } = await struck()
    await query(world, 'update auth.staff_act set created_at = $2 where id = $1', [id, new Date(Date.now() - 20 * DAY)])
    expect((await inside.go(path)).text).toContain('This can no longer be appealed.')
    await inside.submit(page, { text: 'Late' })
    expect((await warningOf(person)).appeal).toBeNull()
  })

  test('is gone with the account', async () => {
    const { inside, page, id, person } = await struck()
    await inside.submit(page, { text: 'Mine' })
    await world.operator().deleteAccount(innerCall(), { username: person.username })
    await world.advance(0)
    expect(await query(world, 'select * from auth.appeal where act_id = $1', [id])).toEqual([])
  })
})

describe('someone whom an act keeps from signing in', () => {
  const barred = async (type: 'disable' | 'suspend') => {
    const name = `barred${++people}`
    const person = await world.person(name)
    await acts(person, { type, text: 'Enough' })
    const signsIn = async () => (await signIn(name, '/auth/sign_in?lang=en')).page
    const { page, inside } = await signIn(name, '/auth/sign_in?lang=en')
    const [act] = await query(world, 'select id from auth.staff_act where account_id = $1', [person.id])
    return { name, person, id: String((act as Json).id), page, inside, signsIn }
  }

  test.each(['disable', 'suspend'] as const)(
    'by %s appeals it after the right password, and is let in when that is approved',
    async (type) => {
      const { page, inside, id, signsIn } = await barred(type)
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('<p>Enough</p>')])
      const blank = await inside.submit(page, { text: '' })
      expect([blank.status, blank.text]).toEqual([422, expect.stringContaining('id="text-error">Please fill this in.')])
      const sent = await inside.submit(blank, { text: 'Not so' })
      expect([sent.status, notices(sent)]).toEqual([200, ['Your appeal is waiting for a decision.']])
      expect(notices(await signsIn())).toEqual(['Your appeal is waiting for a decision.'])
      await decides(id, 'approve', await openAppeals())
      expect((await signsIn()).status).toBe(200)
    },
  )

  test('appeals with no ticket but their own, for an hour', async () => {
    const { page, inside, id } = await barred('suspend')
    const ticket = /name="ticket" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const other = await barred('suspend')
    const forged = ticket.replace(/^\d+:\d+/, `${other.person.id}:${other.id}`)
    expect((await inside.submit(page, { text: 'Mine', ticket: forged })).status).toBe(403)
    await world.advance(3_600_000)
    expect((await inside.submit(page, { text: 'Mine' })).status).toBe(403)
    expect(await query(world, 'select * from auth.appeal where act_id in ($1, $2)', [id, other.id])).toEqual([])
  })

  test('is offered no appeal by their password alone where they have a second factor', async () => {
    const { person, signsIn } = await barred('disable')
    await query(world, `insert into auth.second_factor values ($1, '', 0, now())`, [person.id])
    const page = await signsIn()
    expect([page.status, page.text.includes('name="text"')]).toEqual([403, false])
  })
})

describe('staff', () => {
  test('see open appeals, counted, and approving one takes the act back, once', async () => {
    const { name, inside, page, path, id, person } = await struck({ type: 'silence', text: 'Too loud' })
    await inside.submit(page, { text: 'I whisper' })
    await letters(name)
    const list = await openAppeals()
    for (const said of ['I whisper', 'Too loud', `@${name}`, '@moderator']) expect(list.text).toContain(said)
    expect((await admin.go('/admin')).text).toMatch(/<a href="\/admin\/appeals"><strong>\d+<\/strong><span>open appeals/)
    const other = await openAppeals()
    expect(notices(await decides(id, 'approve', list))).toEqual(['The appeal is decided.'])
    expect((await decides(id, 'reject', other)).status).toBe(404)
    expect((await warningOf(person)).appeal).toEqual({ text: 'I whisper', state: 'approved' })
    expect(notices(await inside.go(path))).toEqual(['This was taken back.', 'Your appeal was approved.'])
    expect((await moderator.get(`/api/v1/admin/accounts/${person.id}`)).body.silenced).toBe(false)
    expect((await letters(name)).join()).toContain('approved')
    const log = await query(world, 'select action, target from auth.staff_act where account_id = $1 order by id', [person.id])
    expect(log.map(({ action, target }: Json) => [action, target])).toEqual([
      ['silence', ''],
      ['unsilence', ''],
      ['approve_appeal', `#${id}`],
    ])
    expect((await admin.go('/admin/appeals')).text).not.toContain('I whisper')
  })

  test('reject one, and the act stays', async () => {
    const { name, inside, page, path, id, person } = await struck({ type: 'sensitive' })
    await inside.submit(page, { text: 'No' })
    await letters(name)
    await decides(id, 'reject', await openAppeals())
    expect((await warningOf(person)).appeal).toEqual({ text: 'No', state: 'rejected' })
    expect(notices(await inside.go(path))).toEqual(['Your appeal was rejected.'])
    expect((await moderator.get(`/api/v1/admin/accounts/${person.id}`)).body.sensitized).toBe(true)
    expect((await letters(name)).join()).toContain('rejected')
  })

  test('approving an act that was done once more since then leaves the later one', async () => {
    const { inside, page, id, person } = await struck({ type: 'silence' })
    await inside.submit(page, { text: 'No' })
    await acts(person, { type: 'silence', text: 'Again' })
    await decides(id, 'approve', await openAppeals())
    expect((await moderator.get(`/api/v1/admin/accounts/${person.id}`)).body.silenced).toBe(true)
  })

  test('decide about no one above them, nor about themselves', async () => {
    const person = await world.person(`peer${++people}`, { role: 'admin', scopes: STAFF_SCOPES })
    await world.operator().setSilenced(innerCall(), { username: person.username, isSilenced: true })
    const [act] = await query(world, `select id from auth.staff_act where account_id = $1 and action = 'silence'`, [person.id])
    const id = String((act as Json).id)
    const { inside, page } = await signIn(person.username, `${LIST}/${id}`)
    await inside.submit(page, { text: 'No' })
    expect((await decides(id, 'approve', await openAppeals())).status).toBe(403)
    expect((await moderator.get(`/api/v1/admin/accounts/${person.id}`)).body.silenced).toBe(true)
  })
})
