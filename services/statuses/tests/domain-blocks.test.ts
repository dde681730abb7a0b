import { type Person, World } from '@rookery/test-world'
import { following, homeIds, said, stranger } from '@rookery/test-world/elsewhere'
import { linksOf, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let person: Person
beforeAll(async () => {
  world = await World.open()
  person = await world.person('person')
})
afterAll(() => world.close())

const PATH = '/api/v1/domain_blocks'
const block = (person: Person, domain?: unknown) => person.post(PATH, { domain })
const unblock = (person: Person, domain?: unknown) => person.asks('DELETE', PATH, { body: { domain } })
const listed = async (person: Person) => (await person.get(PATH)).body

describe('servers shut out', () => {
  test('are listed for the account that blocked them, latest first, each once, by their name in ASCII', async () => {
    const { anna, bert } = await world.cast('anna', 'bert')
    expect(await listed(anna)).toEqual([])
    for (const domain of ['one.example', 'Two.EXAMPLE', 'münchen.example', 'one.example']) {
      const answer = await block(anna, domain)
      expect([answer.status, answer.body]).toEqual([200, {}])
    }
    expect(await listed(anna)).toEqual(['xn--mnchen-3ya.example', 'two.example', 'one.example'])
    expect(await listed(bert)).toEqual([])
    const ended = await unblock(anna, 'TWO.example')
    expect([ended.status, ended.body]).toEqual([200, {}])
    expect((await unblock(bert, 'one.example')).body).toEqual({})
    expect(await listed(anna)).toEqual(['xn--mnchen-3ya.example', 'one.example'])
  })

  test('come by pages, each for one statement', async () => {
    const { cora } = await world.cast('cora')
    for (let index = 0; index < 5; index++) await block(cora, `server${index}.example`)
    expect(await walk(cora, `${PATH}?limit=2`)).toEqual([
      ['server4.example', 'server3.example'],
      ['server2.example', 'server1.example'],
      ['server0.example'],
    ])
    const page = await cora.get(`${PATH}?limit=2`)
    expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
    const { next, prev } = linksOf(page)
    expect(prev).toMatch(/limit=2&since_id=\d+$/)
    expect((await cora.get(prev!)).body).toEqual([])
    const above = linksOf(await cora.get(next!)).prev!.replace('since_id', 'min_id')
    expect((await cora.get(above)).body).toEqual(['server4.example', 'server3.example'])
    expect(linksOf(await cora.get(`${PATH}?limit=6`))).not.toHaveProperty('next')
  })

  test.each([
    ['nothing', undefined, "Domain can't be blank"],
    ['blanks', ' ', "Domain can't be blank"],
    ['an address', 'https://elsewhere.example/', 'Domain is not a valid domain name'],
    ['a word', 'elsewhere', 'Domain is not a valid domain name'],
    ['a number', '192.0.2.1', 'Domain is not a valid domain name'],
  ])('have names: %s is refused', async (_what, domain, fault) => {
    const preview = await person.get(`${PATH}/preview?domain=${encodeURIComponent(domain ?? '')}`)
    for (const answer of [await block(person, domain), await unblock(person, domain), preview]) {
      expect([answer.status, answer.body]).toEqual([422, { error: `Validation failed: ${fault}` }])
    }
    expect(await listed(person)).toEqual([])
  })

  test('take nothing from local accounts', async () => {
    const { dora, emil } = await world.cast('dora', 'emil')
    await dora.follows(emil)
    await block(dora, 'elsewhere.example')
    expect((await dora.get(`${PATH}/preview?domain=elsewhere.example`)).body).toEqual({ following_count: 0, followers_count: 0 })
    const [relationship] = (await dora.get(`/api/v1/accounts/relationships?id[]=${emil.id}`)).body
    expect(relationship).toMatchObject({ following: true, domain_blocking: false })
  })
})

test('this server itself cannot be shut out', async () => {
  const named = await World.open({ settings: { BASE_URL: 'https://here.example' } })
  try {
    const { anna } = await named.cast('anna')
    const answer = await block(anna, 'Here.Example')
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation failed: Domain is the name of this server' }])
  } finally {
    await named.close()
  }
})

test('what a block of a domain hides is deleted from the open streams of home and lists, and from no one else’s', async () => {
  const { uma, friend, other } = await world.cast('uma', 'friend', 'other')
  const [ann, bob] = [await stranger(world, 'ann', 'shut.example'), await stranger(world, 'bob', 'shut.example')]
  const near = await stranger(world, 'near', 'near.example')
  for (const reader of [uma, other]) {
    for (const author of [ann, near]) await following(world, reader, author)
    await reader.follows(friend)
  }
  const { id: list } = (await uma.post('/api/v1/lists', { title: 'all' })).body
  await uma.post(`/api/v1/lists/${list}/accounts`, { account_ids: [ann.id, near.id, friend.id] })
  const direct = await said(world, ann, 'from ann')
  const { id: elsewhere } = await said(world, bob, 'from bob')
  const boost = await friend.reacts('reblog', { id: elsewhere })
  const kept = await said(world, near, 'from near')
  await world.idle()
  expect((await homeIds(uma)).toSorted()).toEqual([direct.id, boost.id, kept.id].toSorted())
  const [home, members, others] = [await uma.listens('user'), await uma.listens('list', { list }), await other.listens('user')]

  expect((await block(uma, 'shut.example')).status).toBe(200)
  await world.idle()
  const last = await friend.says('that is all', { visibility: 'unlisted' })
  for (const stream of [home, members, others]) await stream.hears(({ payload }) => payload?.includes(`"id":"${last.id}"`) ?? false)
  const deleted = [home, members, others].map(({ frames }) => frames.flatMap(({ event, payload }) => (event === 'delete' ? [payload] : [])))
  expect(deleted.map((each) => each.toSorted())).toEqual([[direct.id, boost.id].toSorted(), [direct.id, boost.id].toSorted(), []])
  expect(await homeIds(uma)).toEqual([last.id, kept.id])

  await unblock(uma, 'shut.example')
  await world.idle()
  expect(await homeIds(uma)).toContain(boost.id)
  for (const stream of [home, members, others]) await stream.close()
})
