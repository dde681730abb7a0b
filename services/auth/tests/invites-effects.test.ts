import { type Browser, letterText, type Person, STAFF_SCOPES, startMailServer, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { browser } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { comesBy, enter, heading, INVITES, invites, newcomer } from './inviting.ts'

// What follows from an invitation: follows, what staff see and end, what a deletion leaves; and who may invite people at all.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const HOUR = 3_600_000
const DAY = 24 * HOUR

let world: World
let mail: Awaited<ReturnType<typeof startMailServer>>
let staff: Person
let office: Browser
let people = 0
beforeAll(async () => {
  mail = await startMailServer()
  const settings = { REGISTRATIONS: 'closed', CONFIRMATION: 'mail', SMTP_URL: mail.url.reveal(), TRUSTED_PROXIES: '127.0.0.1' }
  world = await World.open({ settings })
  staff = await world.owner('staff')
  office = await enter(world, 'staff', '/admin')
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

const newName = () => `wren${++people}`

/** Someone with an invitation of theirs. */
const someone = async (wanted: Record<string, string> = {}) => {
  const name = newName()
  const person = await world.person(name)
  const inside = await enter(world, name)
  return { name, person, inside, code: await invites(inside, wanted) }
}

const confirms = async (name: string) => {
  await world.advance(0)
  const letter = mail.letters.findLast(({ to }) => to.includes(`${name}@example.org`))!
  const visitor = browser(world)
  return visitor.submit(await visitor.visit(/http\S+token=\S+/.exec(letterText(letter))![0]), {})
}

const idOf = async (code: string) => (await query(world, 'select id from auth.invite where code = $1', [code]))[0].id
const namesOf = (accounts: Json[]): string[] => accounts.map(({ username }) => username)
const followersOf = async ({ id }: Person) => namesOf((await staff.get(`/api/v1/accounts/${id}/followers`)).body)

test('with closed sign-ups an invitation lets people in, who confirm their address as others do', async () => {
  expect((await browser(world).go('/auth/sign_up')).status).toBe(403)
  const { code, name: inviter } = await someone()
  const name = newName()
  expect(heading(await comesBy(world, code, name))).toBe('Look into your mail')
  expect(heading(await confirms(name))).toBe('Confirmed')
  expect((await staff.get(`/api/v1/accounts/lookup?acct=${name}`)).status).toBe(200)
  expect((await (await enter(world, inviter)).go(INVITES)).text).toContain(`@${name}</a>`)
})

describe('people who come by an invitation that says so', () => {
  test('follow whose it is once they are in, and not again when they stop', async () => {
    const { person, code } = await someone({ autofollow: 'true' })
    const name = newName()
    await comesBy(world, code, name)
    await world.advance(0)
    expect(await followersOf(person)).toEqual([])
    await confirms(name)
    await world.advance(0)
    expect(await followersOf(person)).toEqual([name])
    expect((await person.notifications('?types[]=follow')).map(({ account }) => account.username)).toEqual([name])
    const [{ account_id: id }] = await query(world, 'select account_id from auth.login where email = $1', [`${name}@example.org`])
    expect(await query(world, 'select is_follow_due from auth.invitee where account_id = $1', [id])).toEqual([{ is_follow_due: false }])
    // A change of their state later asks for nothing more.
    await person.does('block', { id, username: name } as Person)
    await world.operator().setDisabled(innerCall(), { username: name, isDisabled: true })
    await world.operator().setDisabled(innerCall(), { username: name, isDisabled: false })
    await world.advance(0)
    expect(await followersOf(person)).toEqual([])
  })

  test('ask who approves followers, and wait for an approval where their network needs one', async () => {
    const { person, code } = await someone({ autofollow: 'true' })
    await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    await staff.post('/api/v1/admin/ip_blocks', { ip: '192.0.2.0/24', severity: 'sign_up_requires_approval' })
    const name = newName()
    const visitor = browser(world)
    const page = await visitor.visit(`/invite/${code}`)
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const body = new URLSearchParams({ form_token, ...newcomer(name) })
    await visitor.go(`/invite/${code}`, { method: 'POST', body, headers: { 'x-forwarded-for': '192.0.2.7' } })
    await confirms(name)
    await world.advance(0)
    const asking = async () => namesOf((await person.get('/api/v1/follow_requests')).body)
    expect(await asking()).toEqual([])
    const [{ id }] = (await staff.get(`/api/v2/admin/accounts?username=${name}`)).body
    expect((await staff.post(`/api/v1/admin/accounts/${id}/approve`)).status).toBe(200)
    await world.advance(0)
    expect(await asking()).toEqual([name])
  })

  test('are in all the same where whose it is has gone, or is suspended, meanwhile', async () => {
    for (const leave of ['deleteAccount', 'setSuspended'] as const) {
      const { name: inviter, code } = await someone({ autofollow: 'true' })
      const name = newName()
      await comesBy(world, code, name)
      await world.operator()[leave](innerCall(), { username: inviter, isSuspended: true })
      await world.advance(0)
      expect(heading(await confirms(name))).toBe('Confirmed')
      await world.advance(0)
      const { body } = await staff.get(`/api/v1/accounts/lookup?acct=${name}`)
      expect([body.username, body.following_count]).toEqual([name, 0])
    }
    expect(await query(world, 'select 1 from auth_jobs._private_jobs where attempts > 0')).toEqual([])
  })
})

describe('staff', () => {
  test('list everyone’s invitations, the latest first, and end one, which the log says', async () => {
    const [first, second] = [await someone(), await someone({ max_uses: '5' })]
    await first.inside.submit(await first.inside.go(INVITES), {}, INVITES.concat('/end'))
    const shown = async (query = '') => {
      const { text } = await office.go(`/admin/invites${query}`)
      return [first, second].filter(({ code }) => text.includes(code)).map(({ name }) => name)
    }
    const { text } = await office.go('/admin/invites')
    expect(text.indexOf(second.code)).toBeLessThan(text.indexOf(first.code))
    expect(text).toContain(`<a href="/admin/accounts/${second.person.id}">@${second.name}</a>`)
    expect(await shown('?state=good')).toEqual([second.name])
    expect(await shown('?state=over')).toEqual([first.name])
    expect((await office.go('/admin/invites?state=over')).text).toContain('Over since: ')
    const asked = await office.submit(await office.go('/admin/invites'), {}, `value="${await idOf(second.code)}"`)
    expect(asked.text).toContain(`<strong>${second.code}</strong>`)
    const done = await office.submit(asked, {})
    expect(done.text).toContain('The invitation is no longer good.')
    expect((await browser(world).go(`/invite/${second.code}`)).status).toBe(404)
    const audit = (await office.go('/admin/audit')).text
    expect(audit).toContain('Ended an invitation')
    expect(audit).toContain(second.code)
  })

  test('find whom someone invited, and see who invited someone, as long as that person is there', async () => {
    const { person, name: inviter, code } = await someone()
    const name = newName()
    await comesBy(world, code, name)
    await confirms(name)
    const found = async () => (await staff.get(`/api/v2/admin/accounts?invited_by=${person.id}`)).body
    const [account] = await found()
    expect(account).toMatchObject({ username: name, invited_by_account_id: person.id })
    expect(
      namesOf((await staff.get(`/api/v2/admin/accounts?invited_by=${person.id}&email=${name}&status=active&ip=127.0.0.1`)).body),
    ).toEqual([name])
    expect((await staff.get(`/api/v2/admin/accounts?invited_by=${person.id}&email=nothing`)).body).toEqual([])
    expect((await staff.get('/api/v2/admin/accounts?invited_by=tea')).body).toEqual([])
    expect((await staff.get(`/api/v2/admin/accounts?invited_by=${account.id}`)).body).toEqual([])
    expect((await staff.get(`/api/v1/admin/accounts/${person.id}`)).body).not.toHaveProperty('invited_by_account_id')
    expect((await office.go(`/admin/accounts/${account.id}`)).text).toContain(`<a href="/admin/accounts/${person.id}">@${inviter}</a>`)
    expect((await office.go(`/admin/accounts?invited_by=${person.id}`)).text).toContain(name)
    await world.operator().deleteAccount(innerCall(), { username: inviter })
    await world.advance(0)
    expect((await staff.get(`/api/v1/admin/accounts/${account.id}`)).body).not.toHaveProperty('invited_by_account_id')
    expect(await query(world, 'select 1 from auth.invite where code = $1', [code])).toEqual([])
  })

  test('without the permission neither see nor end any', async () => {
    await world.person('a_moderator', { role: 'moderator', scopes: STAFF_SCOPES })
    const inside = await enter(world, 'a_moderator', '/admin')
    expect((await inside.go('/admin/invites')).status).toBe(403)
    expect((await inside.go('/admin')).text).not.toContain('/admin/invites')
  })
})

test('what is over goes after a month, what is good stays', async () => {
  const { code: over, inside } = await someone({ expires_in: '1800' })
  const kept = await invites(inside, { expires_in: '' })
  const codes = async () =>
    (await query(world, 'select code from auth.invite where code = any($1)', [[over, kept]])).map(({ code }) => code)
  await world.advance(29 * DAY)
  expect(await codes()).toHaveLength(2)
  await world.advance(2 * DAY)
  await query(world, "select auth_jobs.add_job('forget-expired')")
  await world.advance(0)
  expect(await codes()).toEqual([kept])
})

describe('where not everyone may invite people', () => {
  const BIT = 0x10000
  const opened = async (INVITES_SETTING: string) => {
    const server = await World.open({ settings: { INVITES: INVITES_SETTING } })
    onTestFinished(() => server.close())
    const member = await server.person('member')
    const moderator = await server.person('moderator', { role: 'moderator', scopes: STAFF_SCOPES })
    const owner = await server.owner('owner')
    const claims = async (person: Person) =>
      (Number((await person.get('/api/v1/accounts/verify_credentials')).body.role.permissions) & BIT) !== 0
    return { server, member, moderator, owner, claims }
  }
  const pageOf = async (server: World, name: string) => (await enter(server, name)).go(INVITES)

  test('staff may where the server says so, and no one else', async () => {
    const { server, member, moderator, owner, claims } = await opened('staff')
    expect([await claims(member), await claims(moderator), await claims(owner)]).toEqual([false, true, true])
    expect((await server.get('/api/v1/instance')).body.invites_enabled).toBe(false)
    const refused = await pageOf(server, 'member')
    expect([refused.status, refused.text.includes(`href="${INVITES}`)]).toEqual([403, false])
    const inside = await enter(server, 'moderator')
    expect((await inside.go('/settings')).text).toContain(`href="${INVITES}`)
    const code = await invites(inside)
    expect((await server.get(`/api/v1/invites/${code}`)).status).toBe(200)
    await server.operator().setRole(innerCall(), { username: 'moderator', role: 'user' })
    expect((await server.get(`/api/v1/invites/${code}`)).status).toBe(401)
    expect((await inside.go(INVITES)).status).toBe(403)
  })

  test('no one may where the server says so, owners neither', async () => {
    const { server, member, moderator, owner, claims } = await opened('off')
    expect([await claims(member), await claims(moderator), await claims(owner)]).toEqual([false, false, false])
    expect((await server.get('/api/v1/instance')).body.invites_enabled).toBe(false)
    const refused = await pageOf(server, 'owner')
    expect([refused.status, (await (await enter(server, 'owner')).go('/settings')).text.includes(`href="${INVITES}`)]).toEqual([403, false])
    expect(Number((await owner.get(`/api/v1/admin/accounts/${member.id}`)).body.role.permissions) & BIT).toBe(0)
  })
})

describe('with limits', () => {
  let server: World
  beforeAll(async () => {
    server = await World.open({ settings: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' } })
    await server.person('mara')
  })
  afterAll(() => server.close())
  /** Every test has windows to itself, and time enough in them. */
  beforeEach(() => server.clock.advance(HOUR - (server.clock.now() % HOUR)))

  const from = (address: string) => ({ 'x-forwarded-for': address })

  test('an address guesses 25 codes in five minutes, by the page and the API together; good ones are not counted', async () => {
    const code = await invites(await enter(server, 'mara'))
    const asks = (path: string, address: string) => browser(server).go(path, { headers: from(address) })
    const address = '203.0.113.5'
    for (let times = 0; times < 30; times++) expect((await asks(`/api/v1/invites/${code}`, address)).status).toBe(200)
    for (let times = 0; times < 12; times++) {
      expect((await asks(`/invite/guess${times}`, address)).status).toBe(404)
      expect((await asks(`/api/v1/invites/guess${times}`, address)).status).toBe(401)
    }
    expect((await asks('/invite/guess', address)).status).toBe(404)
    for (const path of ['/invite/guess', `/invite/${code}`, `/api/v1/invites/${code}`]) expect((await asks(path, address)).status).toBe(429)
    expect((await asks(`/invite/${code}`, '203.0.113.6')).status).toBe(200)
  })

  test('someone makes 30 an hour', async () => {
    await server.person('joel')
    const inside = await enter(server, 'joel')
    const makes = async () => (await inside.submit(await inside.go(INVITES), { max_uses: '1' })).status
    for (let times = 0; times < 30; times++) expect(await makes()).toBe(200)
    expect(await makes()).toBe(429)
  })
})
