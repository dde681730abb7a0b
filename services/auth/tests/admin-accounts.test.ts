import { type Answer, type Person, World } from '@rookery/test-world'
import { adminAccount } from '@rookery/test-world/admin-shapes'
import { innerCall } from '@rookery/test-world/calls'
import { faultsIn } from '@rookery/test-world/shape'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

// Accounts as staff find and read them (beyond-the-spec 2.6).

const V1 = '/api/v1/admin/accounts'
const V2 = '/api/v2/admin/accounts'

let world: World
let owner: Person
let moderator: Person
const people = {} as Record<'mara' | 'joel' | 'ines' | 'omar', Person>
let waiting: string

/** Signs up by an app, from the address of this machine; answers with the account's id. */
const signsUp = async (username: string): Promise<string> => {
  const token = await world.appToken('read write')
  const body = { username, email: `${username}@tea.example`, password: 'a password', agreement: true, locale: 'de', reason: 'I like tea' }
  expect((await world.asks('POST', '/api/v1/accounts', { token, body })).status).toBe(200)
  return (await owner.get(`${V2}?username=${username}`)).body[0].id
}

beforeAll(async () => {
  world = await World.open({ settings: { REGISTRATIONS: 'approval', CONFIRMATION: 'automatic' } })
  owner = await world.owner('owner')
  moderator = await world.person('moderator', { role: 'moderator', scopes: 'admin:read admin:write' })
  // One after the other, in the order of their ids.
  for (const name of ['mara', 'joel', 'ines', 'omar'] as const) people[name] = await world.person(name)
  await people.mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Tea 100%_' } })
  waiting = await signsUp('waiting')
  const operator = world.operator()
  await operator.setSilenced(innerCall(), { username: 'joel', isSilenced: true })
  await operator.setSuspended(innerCall(), { username: 'ines', isSuspended: true })
  await operator.setDisabled(innerCall(), { username: 'omar', isDisabled: true })
})
afterAll(() => world.close())

const fault = ({ status, body }: Answer) => [status, body.error]
const namesOf = ({ body }: Answer): string[] => body.map(({ username }: Json) => username)
const named = async (path: string) => namesOf(await moderator.get(path))

const EVERYONE = ['waiting', 'omar', 'ines', 'joel', 'mara', 'moderator', 'owner']
const ALL_BUT_SUSPENDED = EVERYONE.filter((name) => name !== 'ines')

test('an account is shown with its login, and whether it waits', async () => {
  const answer = await moderator.get(`${V1}/${waiting}`)
  expect(answer.status).toBe(200)
  const { created_by_application_id: app, ...whole } = answer.body
  expect(app).toMatch(/^\d+$/)
  expect(faultsIn(whole, adminAccount)).toEqual([])
  expect(answer.body).toMatchObject({
    id: waiting,
    username: 'waiting',
    domain: null,
    email: 'waiting@tea.example',
    ip: '127.0.0.1',
    ips: [{ ip: '127.0.0.1' }],
    locale: 'de',
    invite_request: 'I like tea',
    role: { id: '-99', name: '' },
    confirmed: true,
    approved: false,
    disabled: false,
    silenced: false,
    suspended: false,
    sensitized: false,
    account: { id: waiting, acct: 'waiting' },
  })
  expect((await moderator.get(`${V1}/${people.joel.id}`)).body).toMatchObject({ silenced: true, account: { limited: true } })
  expect((await moderator.get(`${V1}/${people.ines.id}`)).body).toMatchObject({ suspended: true, account: { suspended: true } })
  expect((await moderator.get(`${V1}/${people.omar.id}`)).body).toMatchObject({ disabled: true, suspended: false })
  expect((await moderator.get(`${V1}/${owner.id}`)).body).toMatchObject({ role: { name: 'Owner' }, ip: null, ips: [] })
})

describe('a list by version 1 holds', () => {
  test.each<[string, string[]]>([
    ['', ALL_BUT_SUSPENDED],
    ['local=true', ALL_BUT_SUSPENDED],
    ['remote=true', []],
    ['by_domain=elsewhere.example', []],
    ['active=true', ALL_BUT_SUSPENDED],
    ['pending=true', ['waiting']],
    ['disabled=true', ['omar']],
    ['silenced=true', ['joel']],
    ['suspended=true', ['ines']],
    ['sensitized=true', []],
    ['silenced=true&suspended=true', []],
    ['pending=true&active=true', ['waiting']],
    ['staff=true', ['moderator', 'owner']],
    ['silenced=false', ALL_BUT_SUSPENDED],
    ['suspended=false', ALL_BUT_SUSPENDED],
    ['username=in', []],
    ['username=in&suspended=true', ['ines']],
    ['username=M', ['mara', 'moderator']],
    ['username=m_ra', []],
    ['display_name=tea 100%25', ['mara']],
    ['display_name=100', []],
    ['email=WAITING@tea', ['waiting']],
    ['email=tea', []],
    ['ip=127.0.0.1', ['waiting']],
    ['ip=127.0.0.0/8', ['waiting']],
    ['ip=10.0.0.0/8', []],
    ['ip=tea', []],
    ['ip=127.0.0.1&username=w&pending=true', ['waiting']],
    ['ip=127.0.0.1&silenced=true', []],
  ])('for %j: %j', async (query, names) => expect(await named(`${V1}?${query}`)).toEqual(names))
})

describe('a list by version 2 holds', () => {
  test.each<[string, string[]]>([
    ['', EVERYONE],
    ['origin=local&status=active', ALL_BUT_SUSPENDED],
    ['origin=remote', []],
    ['invited_by=1', []],
    ['status=pending', ['waiting']],
    ['status=disabled', ['omar']],
    ['status=silenced', ['joel']],
    ['status=suspended', ['ines']],
    ['permissions=staff', ['moderator', 'owner']],
    ['role_ids[]=3', ['owner']],
    ['role_ids[]=1&role_ids[]=3&permissions=staff', ['moderator', 'owner']],
    ['role_ids[]=-99&permissions=staff', []],
    ['role_ids[]=99', []],
    ['role_ids[]=-99&username=o', ['omar']],
  ])('for %j: %j', async (query, names) => expect(await named(`${V2}?${query}`)).toEqual(names))

  test.each([
    ['origin=moon', 'Unknown origin: moon'],
    ['status=tired', 'Unknown status: tired'],
    ['status=constructor', 'Unknown status: constructor'],
    ['permissions=all', 'Unknown permissions: all'],
  ])('nothing for %s: 400', async (query, said) => expect(fault(await moderator.get(`${V2}?${query}`))).toEqual([400, said]))
})

test.each([V1, `${V2}?role_ids[]=-99`, `${V2}?origin=local`])('pages of %s follow each other by their links', async (path) => {
  const all = await named(path)
  const first = await moderator.get(`${path}${path.includes('?') ? '&' : '?'}limit=2`)
  expect(namesOf(first)).toEqual(all.slice(0, 2))
  const linkTo = (answer: Answer, rel: string) =>
    new RegExp(`<[^>]*(/api[^>]+)>; rel="${rel}"`).exec(answer.headers.get('link') ?? '')?.[1] ?? ''
  const second = await moderator.get(linkTo(first, 'next'))
  expect(namesOf(second)).toEqual(all.slice(2, 4))
  expect(namesOf(await moderator.get(linkTo(second, 'prev')))).toEqual(all.slice(0, 2))
})

test('an account that was deleted, and one that never was, are missing', async () => {
  const gone = await world.person('gone')
  await world.operator().deleteAccount(innerCall(), { username: 'gone' })
  for (const missing of [gone.id, '1', 'x']) expect(fault(await moderator.get(`${V1}/${missing}`))).toEqual([404, 'Record not found'])
  expect(await named(V2)).toEqual(EVERYONE)
})

test.each([V1, `${V2}?role_ids[]=-99`])('a page of %s costs as much with five accounts as with one', async (path) => {
  const costOf = async (limit: number) => {
    await moderator.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}`)
    return world.lastRequest
  }
  await costOf(5)
  const cost = await costOf(5)
  expect(cost).toEqual(await costOf(1))
  expect(cost.hops).toBe(3)
})
