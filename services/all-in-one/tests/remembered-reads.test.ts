import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The single process caches token holders, and accounts as their owners see them, until it writes the tables they are read from. */
let world: World
beforeAll(async () => {
  world = await World.open({ isOnlyWriter: true })
})
afterAll(() => world.close())

const OWN = '/api/v1/accounts/verify_credentials'
const statusOf = async (person: Person) => (await person.get(OWN)).status

test('asking again without a change costs no statement', async () => {
  const { linnet } = await world.cast('linnet')
  await linnet.get(OWN)
  const costs: number[] = []
  for (let times = 0; times < 5; times++) {
    await linnet.get(OWN)
    costs.push(world.lastRequest.statements)
  }
  expect(Math.min(...costs)).toBe(0)
})

describe('a token is refused by the next request once', () => {
  const ACTS: [string, (person: Person) => Promise<unknown>, number][] = [
    ['it is revoked', ({ token }) => world.operator().revokeToken(innerCall(), { accessToken: token, username: '' }), 401],
    ['all of its owner are revoked', ({ username }) => world.operator().revokeToken(innerCall(), { accessToken: '', username }), 401],
    ['its owner is disabled', ({ username }) => world.operator().setDisabled(innerCall(), { username, isDisabled: true }), 403],
    ['its owner is suspended', ({ username }) => world.operator().setSuspended(innerCall(), { username, isSuspended: true }), 403],
    ['its owner’s account is deleted', ({ username }) => world.operator().deleteAccount(innerCall(), { username }), 401],
  ]
  test.each(ACTS.map((act, index) => [...act, index] as const))('%s', async (_name, act, refused, index) => {
    const person = await world.person(`refused${index}`)
    expect([await statusOf(person), await statusOf(person)]).toEqual([200, 200])
    await act(person)
    expect(await statusOf(person)).toBe(refused)
  })
})

test('a token is taken again by the next request once its owner is enabled', async () => {
  const person = await world.person('enabled')
  await world.operator().setDisabled(innerCall(), { username: person.username, isDisabled: true })
  expect([await statusOf(person), await statusOf(person)]).toEqual([403, 403])
  await world.operator().setDisabled(innerCall(), { username: person.username, isDisabled: false })
  expect(await statusOf(person)).toBe(200)
})

test('a role counts from the next request on, and no longer', async () => {
  await world.owner('staying')
  const { username, token } = await world.owner('promoted')
  const asks = async () => (await world.asks('GET', '/api/v1/admin/accounts', { token })).status
  expect([await asks(), await asks()]).toEqual([200, 200])
  await world.operator().setRole(innerCall(), { username, role: 'moderator' })
  expect((await world.asks('GET', OWN, { token })).body.role.name).toBe('Moderator')
  await world.operator().setRole(innerCall(), { username, role: 'user' })
  expect(await asks()).toBe(403)
})

test('an owner sees every change of the account at once', async () => {
  const { wren, robin } = await world.cast('wren', 'robin')
  const own = async () => (await wren.get(OWN)).body
  expect((await own()).display_name).toBe((await own()).display_name)
  for (const name of ['Wren', 'Jenny', '']) {
    await wren.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: name } })
    expect((await own()).display_name).toBe(name)
  }
  await wren.says('once')
  expect((await own()).statuses_count).toBe(1)
  await robin.follows(wren)
  expect((await own()).followers_count).toBe(1)
  await robin.post(`/api/v1/accounts/${wren.id}/unfollow`)
  expect((await own()).followers_count).toBe(0)
})

test('a search that many strangers fit shows them as they are now, and no one who was suspended since', async () => {
  const { searching, magpies } = await world.cast('searching', 'magpies')
  await query(
    world,
    `insert into statuses.account (id, username, is_active, followers_count, created_at)
     select 6000000 + n, 'magpie' || n, true, -n, now() from generate_series(1, 300) n`,
  )
  const found = async () => {
    const page = (await searching.get('/api/v1/accounts/search?q=magpi&limit=3')).body
    return page.map(({ acct, display_name: name }: { acct: string; display_name: string }) => [acct, name])
  }
  const others = [1, 2, 3].map((n) => [`magpie${n}`, ''])
  for (const name of ['', 'Pica', 'Corvus']) {
    await magpies.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: name } })
    const expected = [['magpies', name], ...others.slice(0, 2)]
    expect([await found(), await found()]).toEqual([expected, expected])
  }
  await world.operator().setSuspended(innerCall(), { username: 'magpies', isSuspended: true })
  expect(await found()).toEqual(others)
})

test('what 20 requests at once change and revoke is never answered as it was before an answer', async () => {
  const people = await Promise.all(Array.from({ length: 20 }, (_, index) => world.person(`crowd${index}`)))
  await Promise.all(
    people.map(async (person, index) => {
      for (const name of ['one', 'two', 'three']) {
        await person.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: `${name} ${index}` } })
        expect((await person.get(OWN)).body.display_name).toBe(`${name} ${index}`)
      }
      await world.operator().revokeToken(innerCall(), { accessToken: person.token, username: '' })
      expect(await statusOf(person)).toBe(401)
    }),
  )
})
