import { openDatabase } from '@rookery/database'
import { type Answer, type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { letterText, startMailServer } from '@rookery/test-world/outside'
import { browser } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { up } from '../src/database/migrations/0066-joined-before.ts'

// No one sees who signed up before their address is confirmed and staff let them in (beyond-the-spec 1.12; spec, Authentication 9).

let world: World
let mail: Awaited<ReturnType<typeof startMailServer>>
let owner: Person
let mara: Person

beforeAll(async () => {
  mail = await startMailServer()
  world = await World.open({ settings: { REGISTRATIONS: 'approval', CONFIRMATION: 'mail', SMTP_URL: mail.url.reveal() } })
  owner = await world.owner('owner')
  mara = await world.person('mara')
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

type Newcomer = { id: string; username: string; token: string }

const signsUp = async (username: string): Promise<Newcomer> => {
  const body = { username, email: `${username}@tea.example`, password: 'a password', agreement: true, locale: 'en', reason: 'tea' }
  const { body: issued } = await world.asks('POST', '/api/v1/accounts', { token: await world.appToken('read write'), body })
  const [{ id }] = await query(world, `select id from statuses.account where username = '${username}'`)
  return { id, username, token: issued.access_token }
}

/** Follows the link that was mailed and presses its button. */
const confirms = async ({ username }: Newcomer) => {
  await world.advance(0)
  const texts = mail.letters.filter(({ to }) => to.includes(`${username}@tea.example`)).map(letterText)
  const link = /https?:\S+\/auth\/confirmation\?token=[\w-]{43}/.exec(texts.join(' '))?.[0] ?? 'no link'
  const visitor = browser(world)
  await visitor.submit(await visitor.visit(link), {})
}

const approves = (id: string) => owner.asks('POST', `/api/v1/admin/accounts/${id}/approve`)

const html = { accept: 'text/html' }
const page = (path: string) => world.asks('GET', path, { headers: html })

/** Everything that shows that an account is there, or acts on it. */
const PLACES: [string, (given: Newcomer) => Promise<Answer>][] = [
  ['the account', ({ id }) => world.get(`/api/v1/accounts/${id}`)],
  ['the account, for someone signed in', ({ id }) => mara.get(`/api/v1/accounts/${id}`)],
  ['its handle', ({ username }) => world.get(`/api/v1/accounts/lookup?acct=${username}`)],
  ['its handle, for someone signed in', ({ username }) => mara.get(`/api/v1/accounts/lookup?acct=@${username}`)],
  ['its statuses', ({ id }) => world.get(`/api/v1/accounts/${id}/statuses`)],
  ['its pinned statuses', ({ id }) => world.get(`/api/v1/accounts/${id}/statuses?pinned=true`)],
  ['its followers', ({ id }) => world.get(`/api/v1/accounts/${id}/followers`)],
  ['whom it follows', ({ id }) => mara.get(`/api/v1/accounts/${id}/following`)],
  ['its tags', ({ id }) => world.get(`/api/v1/accounts/${id}/featured_tags`)],
  ['whom it features', ({ id }) => mara.get(`/api/v1/accounts/${id}/endorsements`)],
  ['its proofs', ({ id }) => mara.get(`/api/v1/accounts/${id}/identity_proofs`)],
  ['lists that hold it', ({ id }) => mara.get(`/api/v1/accounts/${id}/lists`)],
  ['its page', ({ username }) => page(`/@${username}`)],
  ['its page with replies', ({ username }) => page(`/@${username}/with_replies`)],
  ['its followers as a page', ({ username }) => page(`/@${username}/followers`)],
  ['its feed', ({ username }) => world.get(`/@${username}.rss`)],
  ['WebFinger', ({ username }) => world.get(`/.well-known/webfinger?resource=acct:${username}@${new URL(world.address).host}`)],
  ['its actor', ({ username }) => world.asks('GET', `/users/${username}`, { headers: { accept: 'application/activity+json' } })],
  ...(['follow', 'unfollow', 'block', 'unblock', 'mute', 'unmute', 'note', 'remove_from_followers'] as const).map(
    (act): [string, (given: Newcomer) => Promise<Answer>] => [
      `to ${act} it`,
      ({ id }) => mara.asks('POST', `/api/v1/accounts/${id}/${act}`, { body: { comment: '' } }),
    ],
  ),
]

const answers = async (given: Newcomer) => {
  const found: [string, number][] = []
  for (const [what, ask] of PLACES) found.push([what, (await ask(given)).status])
  return found
}
const everywhere = (status: number) => PLACES.map(([what]) => [what, status])

/** What is left out of lists. */
const listed = async ({ id, username }: Newcomer) => ({
  several: (await world.get(`/api/v1/accounts?id[]=${id}&id[]=${mara.id}`)).body.length,
  relationships: (await mara.get(`/api/v1/accounts/relationships?id[]=${id}`)).body.length,
  familiar: (await mara.get(`/api/v1/accounts/familiar_followers?id[]=${id}`)).body.length,
  search: (await mara.get(`/api/v2/search?q=${encodeURIComponent(`${world.address}/@${username}`)}&resolve=true`)).body.accounts.length,
})
const UNSEEN = { several: 1, relationships: 0, familiar: 0, search: 0 }
const SEEN = { several: 2, relationships: 1, familiar: 1, search: 1 }

describe('who signed up', () => {
  test('is 404 everywhere until they confirmed their address and were let in, and there at once then', async () => {
    const newcomer = await signsUp('joel')
    expect(await answers({ id: '1', username: 'no_one', token: '' })).toEqual(everywhere(404))
    expect(await answers(newcomer)).toEqual(everywhere(404))
    expect(await listed(newcomer)).toEqual(UNSEEN)

    await confirms(newcomer)
    expect(await answers(newcomer)).toEqual(everywhere(404))
    expect(await listed(newcomer)).toEqual(UNSEEN)

    expect((await approves(newcomer.id)).status).toBe(200)
    expect((await world.get('/api/v1/accounts/lookup?acct=joel')).status).toBe(200)
    expect(await answers(newcomer)).toEqual(everywhere(200))
    expect(await listed(newcomer)).toEqual(SEEN)
    expect(await mara.asks('POST', `/api/v1/accounts/${newcomer.id}/follow`)).toMatchObject({ status: 200, body: { following: true } })
  })

  test('is there at once when they confirm after they were let in', async () => {
    const newcomer = await signsUp('ines')
    await approves(newcomer.id)
    expect(await answers(newcomer)).toEqual(everywhere(404))
    await confirms(newcomer)
    expect((await world.get(`/api/v1/accounts/${newcomer.id}`)).status).toBe(200)
    for (const path of [`/api/v1/accounts/${newcomer.id}`, '/api/v1/accounts/verify_credentials', '/api/v1/accounts/lookup?acct=ines']) {
      expect((await world.asks('GET', path, { token: newcomer.token })).status).toBe(200)
    }
  })

  test('has a token that is refused, as it was', async () => {
    const { token, id } = await signsUp('omar')
    for (const path of [`/api/v1/accounts/${id}`, '/api/v1/accounts/verify_credentials']) {
      expect(await world.asks('GET', path, { token })).toMatchObject({
        status: 403,
        body: { error: 'Your login is missing a confirmed e-mail address' },
      })
    }
  })

  test('is shown to staff', async () => {
    const { id } = await signsUp('lene')
    const shown = { id, username: 'lene', confirmed: false, approved: false, account: { id, acct: 'lene' } }
    expect(await owner.get(`/api/v1/admin/accounts/${id}`)).toMatchObject({ status: 200, body: shown })
    expect((await owner.get('/api/v2/admin/accounts?status=pending')).body.map((each: { id: string }) => each.id)).toContain(id)
    expect(await owner.asks('POST', `/api/v1/admin/accounts/${id}/action`, { body: { type: 'silence' } })).toMatchObject({ status: 200 })
    expect(await owner.asks('POST', `/api/v1/admin/accounts/${id}/action`, { body: { type: 'tickle' } })).toMatchObject({ status: 422 })
  })

  test('stays 404 when they are turned away', async () => {
    const newcomer = await signsUp('sevi')
    expect((await owner.asks('POST', `/api/v1/admin/accounts/${newcomer.id}/reject`)).status).toBe(200)
    expect(await answers(newcomer)).toEqual(everywhere(404))
    await world.advance(0)
    expect(await answers(newcomer)).toEqual(everywhere(404))
  })
})

test('who joined and whose login is disabled or suspended since is there', async () => {
  const tom = await world.person('tom')
  const isThere = async (path = `/api/v1/accounts/${tom.id}`) => (await world.get(path)).status
  const operator = world.operator()
  await operator.setDisabled(innerCall(), { username: 'tom', isDisabled: true })
  await world.idle()
  expect([await isThere(), await isThere('/api/v1/accounts/lookup?acct=tom'), await isThere('/@tom.rss')]).toEqual([200, 200, 200])
  await operator.setSuspended(innerCall(), { username: 'tom', isSuspended: true })
  await world.idle()
  expect((await world.get(`/api/v1/accounts/${tom.id}`)).body).toMatchObject({ suspended: true })
})

test('who was disabled before it was known who has joined is there, if they ever did something', async () => {
  const [wrote, silent] = [await world.person('wrote'), await world.person('silent')]
  await wrote.says('tea')
  await query(world, `update statuses.account set is_active = false where id in (${wrote.id}, ${silent.id})`)
  const states = async () =>
    [await world.get(`/api/v1/accounts/${wrote.id}`), await world.get(`/api/v1/accounts/${silent.id}`)].map(({ status }) => status)
  expect(await states()).toEqual([404, 404])
  const database = openDatabase({ url: world.databaseUrl })
  await database.db.connection().execute(async (db) => {
    await sql`set search_path = statuses`.execute(db)
    await up(db)
  })
  await database.close()
  expect(await states()).toEqual([200, 404])
})

test('who is confirmed while their login is disabled is there', async () => {
  const newcomer = await signsUp('nils')
  await approves(newcomer.id)
  await world.operator().setDisabled(innerCall(), { username: 'nils', isDisabled: true })
  await confirms(newcomer)
  await world.idle()
  expect((await world.get(`/api/v1/accounts/${newcomer.id}`)).status).toBe(200)
})

test('without confirmation and approval one is there at once', async () => {
  const open = await World.open()
  try {
    const body = { username: 'pia', email: 'pia@tea.example', password: 'a password', agreement: true, locale: 'en', reason: '' }
    const { body: issued } = await open.asks('POST', '/api/v1/accounts', { token: await open.appToken('read write'), body })
    expect((await open.get('/api/v1/accounts/lookup?acct=pia')).status).toBe(200)
    expect((await open.asks('GET', '/api/v1/accounts/verify_credentials', { token: issued.access_token })).status).toBe(200)
  } finally {
    await open.close()
  }
})
