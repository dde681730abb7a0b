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

describe('a home and a list that are read repeatedly', () => {
  /** What a person reads of each status by itself: single statuses are not remembered. */
  const alone = (person: Person, ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await person.get(`/api/v1/statuses/${id}`)).body))

  test('show each status as it is after every act, of their reader and of others', async () => {
    const { reader, author, other } = await world.cast('reader', 'author', 'other')
    await reader.follows(author)
    const list = (await reader.post('/api/v1/lists', { title: 'tea' })).body
    await reader.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [author.id] })
    const [said, asked, quoted] = [
      await author.says('tea'),
      await author.says('which?', { poll: { options: ['green', 'black'], expires_in: 604_800 } }),
      await other.says('coffee', { quote_approval_policy: 'public' }),
    ]
    const quoting = await author.says('see', { quoted_status_id: quoted.id })
    await author.reacts('reblog', quoted)
    await world.idle()
    const look = async () => {
      const shown: unknown[] = []
      for (const path of ['/api/v1/timelines/home', `/api/v1/timelines/list/${list.id}`]) {
        const read = async () => (await reader.get(path)).body
        const [once, again, third] = [await read(), await read(), await read()]
        expect([again, third]).toEqual([once, once])
        const ids = once.map(({ id }: { id: string }) => id)
        expect(once).toEqual(await alone(reader, ids))
        shown.push(once)
      }
      return JSON.stringify(shown)
    }
    const seen = [await look()]
    const filter = { title: 'tea', context: ['home'], expires_in: 3600, keywords_attributes: [{ keyword: 'tea' }] }
    const acts: [string, () => Promise<unknown>][] = [
      ['favourites', () => reader.reacts('favourite', said)],
      ['bookmarks', () => reader.reacts('bookmark', said)],
      ['unfavourites', () => reader.reacts('unfavourite', said)],
      ['boosts', () => reader.reacts('reblog', said)],
      ['mutes the thread', () => reader.reacts('mute', asked)],
      ['votes', () => reader.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [1] })],
      ['is joined by another vote', () => other.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [0] })],
      ['filters', () => reader.post('/api/v2/filters', filter)],
      ['sees the filter end', async () => world.clock.advance(3_601_000)],
      ['sees another favourite', () => other.reacts('favourite', said)],
      ['sees a reply', () => other.says('indeed', { in_reply_to_id: said.id })],
      ['sees an edit', () => author.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'green tea' } })],
      ['sees an author renamed', () => author.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Anna' } })],
      ['sees an edit of what is quoted', () => other.asks('PUT', `/api/v1/statuses/${quoted.id}`, { body: { status: 'espresso' } })],
      ['sees a quote revoked', () => other.post(`/api/v1/statuses/${quoted.id}/quotes/${quoting.id}/revoke`)],
      [
        'sees another policy',
        () => author.asks('PUT', `/api/v1/statuses/${said.id}/interaction_policy`, { body: { quote_approval_policy: 'nobody' } }),
      ],
      ['mutes for a time', () => reader.does('mute', other, { duration: 3600 })],
      ['sees the mute end', async () => world.clock.advance(3_601_000)],
      ['sees a post deleted', () => author.asks('DELETE', `/api/v1/statuses/${quoting.id}`)],
      ['blocks', () => reader.does('block', other)],
    ]
    for (const [act, happens] of acts) {
      const answer = await happens()
      expect([act, (answer as { status?: number } | undefined)?.status ?? 200]).toEqual([act, 200])
      await world.idle()
      const now = await look()
      expect([act, now === seen.at(-1)]).toEqual([act, false])
      seen.push(now)
    }
  })

  test('show a poll as ended once it has', async () => {
    const { waiting, asking } = await world.cast('waiting', 'asking')
    await waiting.follows(asking)
    await asking.says('which?', { poll: { options: ['green', 'black'], expires_in: 300 } })
    await world.idle()
    const hasEnded = async () => (await waiting.home()).map(({ poll }) => poll.expired)
    expect([await hasEnded(), await hasEnded()]).toEqual([[false], [false]])
    world.clock.advance(300_000)
    expect([await hasEnded(), await hasEnded()]).toEqual([[true], [true]])
  })
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
