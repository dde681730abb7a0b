import { SuggestionOperatorDefinition } from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())
afterEach(async () => {
  // Each test has a server of its own, as far as people are concerned.
  for (const { username } of (await operator().listPicks(innerCall(), {})).picks) await operator().unpick(innerCall(), { acct: username })
  await query(world, 'update statuses.account set discoverable = false')
  await world.advance(QUARTER_OF_AN_HOUR)
})

const QUARTER_OF_AN_HOUR = 15 * 60_000
const operator = () => operatorClient(world, SuggestionOperatorDefinition)
const picks = (person: Person) => operator().pick(innerCall(), { acct: person.username })
const change = (person: Person, body: object) => person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })

type Suggested = { source: string; sources: string[]; account: { username: string } }
const suggested = async (person: Person, parameters = ''): Promise<string[]> =>
  (await person.get(`/api/v2/suggestions${parameters}`)).body.map(({ source, sources, account }: Suggested) =>
    [account.username, source, ...sources].join(' '),
  )
const names = async (person: Person, parameters = '') =>
  (await person.get(`/api/v1/suggestions${parameters}`)).body.map(({ username }: { username: string }) => username)
/** People who want to be found. */
const open = async <Name extends string>(...wanted: Name[]): Promise<Record<Name, Person>> => {
  const cast = await world.cast(...wanted)
  for (const person of Object.values<Person>(cast)) await change(person, { discoverable: true })
  return cast
}

describe('suggestions', () => {
  test('are picks first, then whom most of one’s own follow, then who is followed most, each with every reason', async () => {
    const { anna, bert, cora } = await world.cast('anna', 'bert', 'cora')
    const { picked, near, nearer, famous, hidden } = await open('picked', 'near', 'nearer', 'famous', 'hidden')
    const crowd = Object.values(await world.cast('crowd1', 'crowd2', 'crowd3'))
    for (const friend of [bert, cora]) await anna.follows(friend)
    await bert.follows(near)
    for (const friend of [bert, cora]) await friend.follows(nearer)
    for (const person of crowd) await person.follows(famous)
    for (const person of crowd) await person.follows(hidden)
    await change(hidden, { discoverable: false })
    await picks(picked)
    await picks(famous)
    const [first] = (await anna.get('/api/v2/suggestions')).body
    expect(first).toEqual({ source: 'staff', sources: ['featured'], account: (await world.get(`/api/v1/accounts/${picked.id}`)).body })
    expect(await suggested(anna)).toEqual([
      'picked staff featured',
      'famous staff featured most_followed',
      'nearer past_interactions friends_of_friends most_followed',
      'near past_interactions friends_of_friends most_followed',
    ])
    await operator().unpick(innerCall(), { acct: 'famous' })
    expect(await suggested(anna)).toEqual([
      'picked staff featured',
      'nearer past_interactions friends_of_friends most_followed',
      'near past_interactions friends_of_friends most_followed',
      'famous global most_followed',
    ])
    expect(await names(anna)).toEqual(['picked', 'nearer', 'near', 'famous'])
    expect(await names(anna, '?limit=2&offset=1')).toEqual(['nearer', 'near'])
    expect(await suggested(anna, '?limit=1&offset=3')).toEqual(['famous global most_followed'])
    expect(await names(anna, '?limit=0')).toEqual([])
    await change(bert, { hide_collections: true })
    expect(await suggested(anna)).toEqual([
      'picked staff featured',
      'nearer past_interactions friends_of_friends most_followed',
      'famous global most_followed',
      'near global most_followed',
    ])
  })

  test('are no one one has to do with already, and none that moderators hold back', async () => {
    const { dora } = await open('dora')
    const wanted = await open('stays', 'followed', 'asked', 'blocked', 'blocker', 'muted', 'dismissed', 'silenced', 'suspended')
    for (const person of [dora, ...Object.values(wanted)]) await picks(person)
    expect(await names(dora)).toEqual(Object.keys(wanted))
    await dora.follows(wanted.followed)
    await change(wanted.asked, { locked: true })
    await dora.follows(wanted.asked)
    await dora.does('block', wanted.blocked)
    await wanted.blocker.does('block', dora)
    await dora.does('mute', wanted.muted, { duration: 60 })
    await query(world, 'update statuses.account set is_silenced = true where id = $1', [wanted.silenced.id])
    await query(world, 'update statuses.account set is_suspended = true where id = $1', [wanted.suspended.id])
    expect(await names(dora)).toEqual(['stays', 'dismissed'])
    for (const id of [wanted.dismissed.id, wanted.dismissed.id, '1', 'x', '9'.repeat(25)]) {
      const answer = await dora.asks('DELETE', `/api/v1/suggestions/${id}`)
      expect([answer.status, answer.body]).toEqual([200, {}])
    }
    expect(await names(dora)).toEqual(['stays'])
    expect(await names(wanted.stays)).toContain('dismissed')
    await world.advance(61_000)
    expect(await names(dora)).toEqual(['stays', 'muted'])
    await dora.does('unfollow', wanted.followed)
    expect(await names(dora)).toEqual(['stays', 'followed', 'muted'])
  })

  test('by how many follow them are a quarter of an hour old at most, and never of whom does not want it any more', async () => {
    const { emma, eva } = await world.cast('emma', 'eva')
    const { early, late } = await open('early', 'late')
    await late.follows(early)
    await eva.follows(early)
    expect(await names(emma)).toEqual(['early'])
    await early.follows(late)
    expect(await names(emma)).toEqual(['early'])
    await world.advance(QUARTER_OF_AN_HOUR)
    expect(await names(emma)).toEqual(['early', 'late'])
    await change(early, { discoverable: false })
    expect(await names(emma)).toEqual(['late'])
  })

  test('cost the same for 1 and for 30, and for whom follows no one or 5,000', async () => {
    const { fay } = await world.cast('fay')
    const found = Object.values(await open(...Array.from({ length: 30 }, (_, index) => `found${index}`)))
    await picks(found[0]!)
    await fay.get('/api/v2/suggestions')
    await fay.get('/api/v2/suggestions')
    const one = world.lastRequest
    expect(one).toEqual({ hops: 2, statements: 2 })
    await query(
      world,
      `insert into statuses.account (id, username, is_active, created_at) select n, 'many' || n, true, now() from generate_series(2000001, 2005000) n`,
    )
    await query(
      world,
      `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
       select $1::bigint, n, true, false, now() from generate_series(2000001, 2005000) n
       union all select n, target, true, false, now() from generate_series(2000001, 2005000) n, unnest($2::bigint[]) target`,
      [fay.id, found.map(({ id }) => id)],
    )
    expect(await names(fay)).toHaveLength(30)
    await fay.get('/api/v2/suggestions')
    expect(world.lastRequest).toEqual(one)
  })

  test('need a person', async () => {
    for (const [method, path] of [
      ['GET', 'v2/suggestions'],
      ['GET', 'v1/suggestions'],
      ['DELETE', 'v1/suggestions/1'],
    ] as const) {
      const answer = await world.asks(method, `/api/${path}`)
      expect([answer.status, answer.body]).toEqual([401, { error: 'The access token is invalid' }])
    }
  })
})

describe('the operator', () => {
  test('picks accounts by their handle, each once, and unpicks them', async () => {
    const { gus } = await world.cast('gus')
    const pick = { accountId: gus.id, username: 'gus' }
    for (const acct of ['gus', '@GUS', `gus@${new URL(world.origin).host}`])
      expect(await operator().pick(innerCall(), { acct })).toEqual(pick)
    expect(await operator().listPicks(innerCall(), {})).toEqual({ picks: [pick] })
    expect(await operator().unpick(innerCall(), { acct: 'gus' })).toEqual(pick)
    const missing = { kind: 'not_found', message: 'Record not found' }
    await expect(operator().unpick(innerCall(), { acct: 'gus' })).rejects.toMatchObject(missing)
    await expect(operator().pick(innerCall(), { acct: 'nobody' })).rejects.toMatchObject(missing)
    await expect(operator().pick(innerCall(), { acct: 'gus@elsewhere.example' })).rejects.toMatchObject(missing)
  })
})
