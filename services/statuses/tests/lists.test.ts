import { type Answer, type Person, World } from '@rookery/test-world'
import { deadlocksOf, idsOf, keepEvents, linksOf, query, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let cast = 0
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

/** People without lists, of whom the first follows the others. */
const people = async (): Promise<[Person, Person, Person]> => {
  cast++
  const [mara, joel, ines] = await Promise.all(['mara', 'joel', 'ines'].map((name) => world.person(`${name}${cast}`)))
  await Promise.all([mara!.follows(joel!), mara!.follows(ines!)])
  return [mara!, joel!, ines!]
}

const gist = ({ status, body }: Answer) => [status, body.error ?? body]
const RECORD_NOT_FOUND = [404, 'Record not found']

const makes = async (owner: Person, settings: Record<string, unknown> = { title: 'tea' }): Promise<Json> => {
  const answer = await owner.post('/api/v1/lists', settings)
  expect(answer.status).toBe(200)
  return answer.body
}
const lists = async (owner: Person): Promise<Json[]> => (await owner.get('/api/v1/lists')).body
const membersOf = async (owner: Person, { id }: { id: string }): Promise<string[]> =>
  idsOf((await owner.get(`/api/v1/lists/${id}/accounts`)).body)
const adds = (owner: Person, { id }: { id: string }, members: readonly { id: string }[]) =>
  owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: idsOf(members) })
const removes = (owner: Person, { id }: { id: string }, members: readonly { id: string }[]) =>
  owner.asks('DELETE', `/api/v1/lists/${id}/accounts`, { body: { account_ids: idsOf(members) } })

describe('a list', () => {
  test('is made, read, changed and removed by its owner', async () => {
    const [mara] = await people()
    const made = await makes(mara, { title: '  tea  ' })
    expect(made).toEqual({ id: expect.stringMatching(/^\d+$/), title: 'tea', replies_policy: 'list', exclusive: false })
    const other = await makes(mara, { title: 'coffee', replies_policy: 'none', exclusive: true })
    expect(other).toMatchObject({ title: 'coffee', replies_policy: 'none', exclusive: true })
    expect(await lists(mara)).toEqual([made, other])
    const changed = await mara.asks('PUT', `/api/v1/lists/${made.id}`, { body: { title: 'green tea', replies_policy: 'followed' } })
    expect(changed.body).toEqual({ ...made, title: 'green tea', replies_policy: 'followed' })
    expect((await mara.get(`/api/v1/lists/${made.id}`)).body).toEqual(changed.body)
    expect(gist(await mara.asks('DELETE', `/api/v1/lists/${made.id}`))).toEqual([200, {}])
    expect(await lists(mara)).toEqual([other])
    expect(gist(await mara.asks('DELETE', `/api/v1/lists/${made.id}`))).toEqual(RECORD_NOT_FOUND)
  })

  test('that is changed shows replies to members unless said, and stays exclusive or not', async () => {
    const [mara] = await people()
    const { id } = await makes(mara, { title: 'tea', replies_policy: 'none', exclusive: true })
    const changed = await mara.asks('PATCH', `/api/v1/lists/${id}`, { body: { title: 'tea' } })
    expect(changed.body).toMatchObject({ replies_policy: 'list', exclusive: true })
    const opened = await mara.asks('PUT', `/api/v1/lists/${id}`, { body: { title: 'tea', exclusive: 'false' } })
    expect(opened.body).toMatchObject({ exclusive: false })
  })

  test.each<[Record<string, unknown>, string]>([
    [{}, "Validation failed: Title can't be blank"],
    [{ title: ' ' }, "Validation failed: Title can't be blank"],
    [{ title: 'x'.repeat(257) }, 'Validation failed: Title is too long (maximum is 256 characters)'],
    [{ title: 'tea', replies_policy: 'maybe' }, "'maybe' is not a valid replies_policy"],
  ])('is refused with %j, made or changed', async (settings, text) => {
    const [mara] = await people()
    expect(gist(await mara.post('/api/v1/lists', settings))).toEqual([422, text])
    const kept = await makes(mara)
    expect(gist(await mara.asks('PUT', `/api/v1/lists/${kept.id}`, { body: settings }))).toEqual([422, text])
    expect(await lists(mara)).toEqual([kept])
  })

  test('may have a title of 256 characters, counted as people do', async () => {
    const [mara] = await people()
    expect((await makes(mara, { title: '🫖'.repeat(256) })).title).toBe('🫖'.repeat(256))
  })

  test('is one of fifty at most, also when more are tried at once', async () => {
    const [mara] = await people()
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => mara.post('/api/v1/lists', { title: `${index}` })))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(10)
    expect(gist(refused[0]!)).toEqual([422, 'Validation failed: You have reached the maximum number of lists'])
    expect(await lists(mara)).toHaveLength(50)
  })

  test('of another is missing, with the same bytes as one that never was', async () => {
    const [mara, joel, ines] = await people()
    const made = await makes(mara)
    await adds(mara, made, [ines])
    await joel.follows(ines)
    const asks = (id: string): Promise<Answer>[] => [
      joel.get(`/api/v1/lists/${id}`),
      joel.asks('PUT', `/api/v1/lists/${id}`, { body: { title: '' } }),
      joel.asks('DELETE', `/api/v1/lists/${id}`),
      joel.get(`/api/v1/lists/${id}/accounts`),
      joel.get(`/api/v1/lists/${id}/accounts?limit=0`),
      joel.post(`/api/v1/lists/${id}/accounts`, { account_ids: [ines.id] }),
      joel.asks('DELETE', `/api/v1/lists/${id}/accounts`, { body: { account_ids: [ines.id] } }),
    ]
    const [others, missing, malformed] = await Promise.all(
      [made.id, '987654321', 'teapot'].map(async (id) => (await Promise.all(asks(id))).map(({ status, text }) => [status, text])),
    )
    expect(others).toEqual(asks('1').map(() => [404, '{"error":"Record not found"}']))
    expect(missing).toEqual(others)
    expect(malformed).toEqual(others)
    expect(await membersOf(mara, made)).toEqual([ines.id])
  })
})

describe('members', () => {
  test('are people the owner follows, the latest to come first', async () => {
    const [mara, joel, ines] = await people()
    const made = await makes(mara)
    expect(gist(await adds(mara, made, [joel]))).toEqual([200, {}])
    expect(gist(await adds(mara, made, [ines]))).toEqual([200, {}])
    const page = await mara.get(`/api/v1/lists/${made.id}/accounts`)
    expect(idsOf(page.body)).toEqual([ines.id, joel.id])
    expect(page.body[0]).toEqual((await mara.get(`/api/v1/accounts/${ines.id}`)).body)
    expect(gist(await removes(mara, made, [ines]))).toEqual([200, {}])
    expect(gist(await removes(mara, made, [ines]))).toEqual([200, {}])
    expect(await membersOf(mara, made)).toEqual([joel.id])
  })

  test('are added all or not at all', async () => {
    const [mara, joel, ines] = await people()
    const stranger = await world.person(`stranger${cast}`)
    const made = await makes(mara)
    expect(gist(await adds(mara, made, [joel, stranger]))).toEqual(RECORD_NOT_FOUND)
    expect(gist(await adds(mara, made, [joel, { id: '987654321' }]))).toEqual(RECORD_NOT_FOUND)
    expect(gist(await adds(mara, made, [joel, { id: 'teapot' }]))).toEqual(RECORD_NOT_FOUND)
    expect(gist(await adds(mara, made, [mara]))).toEqual(RECORD_NOT_FOUND)
    expect(await membersOf(mara, made)).toEqual([])
    await adds(mara, made, [joel])
    expect(gist(await adds(mara, made, [ines, joel]))).toEqual([422, 'Validation failed: Account has already been taken'])
    expect(await membersOf(mara, made)).toEqual([joel.id])
    expect(gist(await adds(mara, made, [ines, ines]))).toEqual([200, {}])
    expect(await membersOf(mara, made)).toEqual([ines.id, joel.id])
  })

  test('must be named', async () => {
    const [mara] = await people()
    const made = await makes(mara)
    const missing = [400, 'param is missing or the value is empty: account_ids']
    expect(gist(await mara.post(`/api/v1/lists/${made.id}/accounts`, {}))).toEqual(missing)
    expect(gist(await mara.asks('DELETE', `/api/v1/lists/${made.id}/accounts`))).toEqual(missing)
  })

  test('are named in a form as well, in the body of a DELETE too', async () => {
    const [mara, joel, ines] = await people()
    const made = await makes(mara)
    const body = new URLSearchParams([
      ['account_ids[]', joel.id],
      ['account_ids[]', ines.id],
    ])
    expect((await mara.asks('POST', `/api/v1/lists/${made.id}/accounts`, { body })).status).toBe(200)
    expect(await membersOf(mara, made)).toEqual([ines.id, joel.id])
    expect((await mara.asks('DELETE', `/api/v1/lists/${made.id}/accounts`, { body })).status).toBe(200)
    expect(await membersOf(mara, made)).toEqual([])
  })

  test('come in pages, and all on one page with limit=0, at the same cost however many', async () => {
    const [mara, joel, ines] = await people()
    const others = await Promise.all(Array.from({ length: 6 }, (_, index) => world.person(`crowd${cast}_${index}`)))
    await Promise.all(others.map((other) => mara.follows(other)))
    const made = await makes(mara)
    const all = [joel, ines, ...others]
    await adds(mara, made, all)
    const expected = idsOf(all).reverse()
    const path = `/api/v1/lists/${made.id}/accounts`
    const pages = await walk(mara, `${path}?limit=3`)
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2])
    expect(idsOf(pages.flat())).toEqual(expected)
    const first = linksOf(await mara.get(`${path}?limit=3`))
    expect(first.prev).toMatch(/since_id=\d+$/)
    const everyone = await mara.get(`${path}?limit=0`)
    expect(idsOf(everyone.body)).toEqual(expected)
    expect(everyone.headers.get('link')).toBeNull()
    const many = world.lastRequest
    await mara.get(`${path}?limit=1`)
    expect(world.lastRequest).toEqual(many)
    expect(many).toEqual({ hops: 2, statements: 4 })
  })

  test('leave the lists of owners who no longer follow them, and no one else’s', async () => {
    const [mara, joel, ines] = await people()
    await ines.follows(joel)
    const [tea, coffee] = [await makes(mara), await makes(mara, { title: 'coffee' })]
    const theirs = await makes(ines)
    await Promise.all([adds(mara, tea, [joel, ines]), adds(mara, coffee, [joel]), adds(ines, theirs, [joel])])
    await mara.does('unfollow', joel)
    expect([await membersOf(mara, tea), await membersOf(mara, coffee), await membersOf(ines, theirs)]).toEqual([[ines.id], [], [joel.id]])
    await mara.follows(joel)
    expect(await membersOf(mara, tea)).toEqual([ines.id])
  })

  test.each<[string, (owner: Person, member: Person) => Promise<unknown>]>([
    ['the owner blocks', (owner, member) => owner.does('block', member)],
    ['who block the owner', (owner, member) => member.does('block', owner)],
  ])('whom %s leave the list', async (_name, act) => {
    const [mara, joel, ines] = await people()
    const made = await makes(mara)
    await adds(mara, made, [joel, ines])
    await act(mara, joel)
    expect(await membersOf(mara, made)).toEqual([ines.id])
  })
})

test('what changes a feed is an event, and nothing else', async () => {
  const [mara, joel, ines] = await people()
  const eventsOf = await keepEvents(world)
  const made = await makes(mara)
  await adds(mara, made, [joel, ines])
  await adds(mara, made, [joel])
  await removes(mara, made, [ines])
  await removes(mara, made, [ines])
  const change = (settings: Record<string, unknown>) => mara.asks('PUT', `/api/v1/lists/${made.id}`, { body: settings })
  await change({ title: 'green tea' })
  await change({ title: 'green tea', replies_policy: 'none' })
  await change({ title: 'green tea', replies_policy: 'none', exclusive: true })
  await mara.does('unfollow', joel)
  await mara.follows(joel)
  await adds(mara, made, [ines])
  await mara.asks('DELETE', `/api/v1/lists/${made.id}`)
  const list = { listId: made.id, accountId: mara.id }
  const events = (await eventsOf(mara)).filter(({ $case }) => $case.startsWith('list'))
  expect(events).toEqual([
    { $case: 'listMembersAdded', value: { ...list, memberIds: [joel.id, ines.id] } },
    { $case: 'listMembersRemoved', value: { ...list, memberIds: [ines.id] } },
    { $case: 'listChanged', value: list },
    { $case: 'listChanged', value: list },
    { $case: 'listMembersRemoved', value: { ...list, memberIds: [joel.id] } },
    { $case: 'listMembersAdded', value: { ...list, memberIds: [ines.id] } },
    { $case: 'listDeleted', value: { ...list, memberIds: [ines.id], wasExclusive: true } },
  ])
})

test('an account tells which of the viewer’s lists it is on', async () => {
  const [mara, joel, ines] = await people()
  const [tea, coffee] = [await makes(mara), await makes(mara, { title: 'coffee' })]
  await Promise.all([adds(mara, tea, [joel]), adds(mara, coffee, [joel, ines])])
  const listsOf = async (reader: Person, id: string) => gist(await reader.get(`/api/v1/accounts/${id}/lists`))
  expect(await listsOf(mara, joel.id)).toEqual([200, [tea, coffee]])
  expect(await listsOf(mara, ines.id)).toEqual([200, [coffee]])
  expect(await listsOf(mara, mara.id)).toEqual([200, []])
  expect(await listsOf(ines, joel.id)).toEqual([200, []])
  expect(await listsOf(mara, '987654321')).toEqual(RECORD_NOT_FOUND)
  expect(await listsOf(mara, 'teapot')).toEqual(RECORD_NOT_FOUND)
})

describe('twenty at once', () => {
  const twenty = <T>(act: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, index) => act(index)))
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()

  test('put someone on a list once, and take them off', async () => {
    const [mara, joel, ines] = await people()
    const made = await makes(mara)
    expect(statuses(await twenty(() => adds(mara, made, [joel, ines])))).toEqual([200, ...Array(19).fill(422)])
    expect(await membersOf(mara, made)).toEqual([ines.id, joel.id])
    expect(statuses(await twenty(() => removes(mara, made, [joel, ines])))).toEqual(Array(20).fill(200))
    expect(await membersOf(mara, made)).toEqual([])
  })

  test('remove a list once', async () => {
    const [mara] = await people()
    const made = await makes(mara)
    expect(statuses(await twenty(() => mara.asks('DELETE', `/api/v1/lists/${made.id}`)))).toEqual([200, ...Array(19).fill(404)])
  })

  test('add and unfollow, and no one stays on a list of an owner who does not follow them', async () => {
    const [mara, joel] = await people()
    const made = await makes(mara)
    for (let round = 0; round < 5; round++) {
      await mara.follows(joel)
      await twenty((index) => (index % 4 === 3 ? mara.does('unfollow', joel) : adds(mara, made, [joel])))
      expect(await membersOf(mara, made)).toEqual([])
    }
    await world.idle()
    expect(await query(world, 'select id from statuses.dead_letter')).toEqual([])
    expect(await deadlocksOf(world)).toBe(0)
  })
})

test('what a member says to the owner alone is not in the list', async () => {
  const [owner, member] = await people()
  const list = await makes(owner)
  await adds(owner, list, [member])
  const said = await member.says('for everyone')
  await member.says(`@${owner.username} for you alone`, { visibility: 'direct' })
  await world.idle()
  expect(idsOf((await owner.get(`/api/v1/timelines/list/${list.id}`)).body)).toEqual([said.id])
})

test('a block takes back what an exclusive list showed of someone, from that list alone', async () => {
  const { olga, petra } = await world.cast('olga', 'petra')
  await olga.follows(petra)
  const { id } = await makes(olga, { title: 'tea', exclusive: true })
  await olga.post(`/api/v1/lists/${id}/accounts`, { account_ids: [petra.id] })
  const said = await petra.says('tea')
  await world.idle()
  const [list, user] = [await olga.listens('list', { list: id }), await olga.listens('user')]
  await olga.does('block', petra)
  await world.idle()
  expect(await list.hears(({ event }) => event === 'delete')).toMatchObject({ stream: ['list', id], payload: said.id })
  expect(user.frames.filter(({ event }) => event === 'delete')).toEqual([])
  await Promise.all([list.close(), user.close()])
})
