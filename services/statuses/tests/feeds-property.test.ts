import { type Person, World } from '@rookery/test-world'
import { idsOf, query, runJob, walk } from '@rookery/test-world/queries'
import { type Random, randomFrom } from '@rookery/test-world/random'
import { afterAll, expect, test } from 'vitest'
import { asTheyCome, belongsInHome, belongsInList, faultsOf, type Rows, rowsOf } from './feed-model.ts'

const PEOPLE = 50
const ACTS = 2000
/** Acts under way before what follows from them is waited for. */
const TOGETHER = 20
const TAGS = ['tea', 'cake', 'rain']
const LANGUAGES = ['de', 'en', 'fr']
const VISIBILITIES = ['public', 'public', 'public', 'unlisted', 'private', 'direct']

/** Fewer than follow those in the centre of things, and more than follow most. */
const PULLS_ABOVE = '8'

const worlds: World[] = []
afterAll(async () => {
  for (const world of worlds) await world.close()
})
const openWorld = async (settings: Record<string, string>): Promise<World> => {
  const world = await World.open({ settings })
  worlds.push(world)
  return world
}

/** Fifty people who do what people do. What cannot be done is refused, and that is as good an act as any. */
const liveliness = (people: readonly Person[], random: Random) => {
  const said: { id: string; by: Person }[] = []
  const lists: { id: string; by: Person }[] = []
  // Few are in the centre of things, so that their acts meet.
  const newPerson = () => random.of(random.chance(0.5) ? people.slice(0, 12) : people)
  const something = () => random.of(random.chance(0.5) ? said.slice(-30) : said)

  const text = () => {
    const mention = random.chance(0.2) ? ` @${newPerson().username}` : ''
    const tag = random.chance(0.25) ? ` #${random.of(TAGS)}` : ''
    return `hello${mention}${tag} ${said.length}`
  }
  const publish = async (by: Person, more: object) => {
    const answer = await by.post('/api/v1/statuses', {
      status: text(),
      language: random.of(LANGUAGES),
      visibility: random.of(VISIBILITIES),
      ...more,
    })
    if (answer.status === 200) said.push({ id: answer.body.id, by })
  }
  const toAccount = (act: string, more?: () => object) => () =>
    newPerson().post(`/api/v1/accounts/${newPerson().id}/${act}`, more?.() ?? {})
  const toStatus = (act: string) => async () => {
    const target = said.length > 0 ? something() : undefined
    if (target) await newPerson().post(`/api/v1/statuses/${target.id}/${act}`)
  }
  const toList = (act: (list: { id: string; by: Person }) => Promise<unknown>) => async () => {
    if (lists.length > 0) await act(random.of(lists))
  }
  const settings = () => ({
    title: 'list',
    replies_policy: random.of(['followed', 'list', 'none']),
    exclusive: random.chance(0.5),
  })
  const acts: [weight: number, act: () => Promise<unknown>][] = [
    [14, () => publish(newPerson(), {})],
    [10, async () => (said.length > 0 ? publish(newPerson(), { in_reply_to_id: something().id }) : undefined)],
    [14, toStatus('reblog')],
    [4, toStatus('unreblog')],
    [4, async () => (said.length > 0 ? deletes(something()) : undefined)],
    [4, async () => (said.length > 0 ? edits(something()) : undefined)],
    [18, toAccount('follow')],
    [5, toAccount('follow', () => ({ reblogs: random.chance(0.5), ...(random.chance(0.5) ? { languages: [random.of(LANGUAGES)] } : {}) }))],
    [6, toAccount('unfollow')],
    [2, toAccount('block')],
    [2, toAccount('unblock')],
    [3, toAccount('mute')],
    [2, toAccount('mute', () => ({ duration: 60 }))],
    [2, toAccount('unmute')],
    [2, () => keepsList(newPerson())],
    [3, toList(({ id, by }) => by.asks('PUT', `/api/v1/lists/${id}`, { body: settings() }))],
    [6, toList(({ id, by }) => by.post(`/api/v1/lists/${id}/accounts`, { account_ids: [newPerson().id] }))],
    [2, toList(({ id, by }) => by.asks('DELETE', `/api/v1/lists/${id}/accounts`, { body: { account_ids: [newPerson().id] } }))],
    [0.3, toList(({ id, by }) => by.asks('DELETE', `/api/v1/lists/${id}`))],
    [2, () => newPerson().post(`/api/v1/tags/${random.of(TAGS)}/follow`)],
    [1, () => newPerson().post(`/api/v1/tags/${random.of(TAGS)}/unfollow`)],
  ]
  const keepsList = async (by: Person) => lists.push({ id: (await by.post('/api/v1/lists', settings())).body.id, by })
  const deletes = ({ id, by }: { id: string; by: Person }) => by.asks('DELETE', `/api/v1/statuses/${id}`)
  const edits = ({ id, by }: { id: string; by: Person }) =>
    by.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: text(), language: random.of(LANGUAGES) } })

  const total = acts.reduce((sum, [weight]) => sum + weight, 0)
  const weighted = acts.flatMap(([weight, act]) => Array.from({ length: Math.ceil((weight / total) * 1000) }, () => act))
  return { act: () => random.of(weighted)(), lists }
}

/** All of a timeline, page after page in both directions, which must agree. */
const readWhole = async (reader: Person, path: string): Promise<string[]> => {
  const down = (await walk(reader, `${path}?limit=40`)).flatMap(idsOf)
  const up = (await walk(reader, `${path}?limit=40&min_id=1`, 'prev')).toReversed().flatMap(idsOf)
  expect(up).toEqual(down)
  return down
}

/** Fifty people who did 2,000 things at random; the first of them were followed by everyone before, as many as `known` says. */
const lively = async (world: World, seed: number, known = 0) => {
  const random = randomFrom(seed)
  const people = Object.values(await world.cast(...Array.from({ length: PEOPLE }, (_, index) => `person${index}`)))
  for (const target of people.slice(0, known)) {
    await Promise.all(people.map((person) => person.post(`/api/v1/accounts/${target.id}/follow`)))
    await world.idle()
  }
  const { act, lists } = liveliness(people, random)
  for (let done = 0; done < ACTS; done += TOGETHER) {
    await Promise.all(Array.from({ length: TOGETHER }, act))
    await world.idle()
    if (random.chance(0.1)) {
      world.clock.advance(61_000)
      await runJob(world, 'end-mutes')
    }
  }
  await world.idle()
  return { people, lists }
}

/** Reads everyone's home, and waits for those that are made again for it. */
const refreshHomes = async (world: World, people: readonly Person[]) => {
  await query(world, 'update statuses.home set read_on = $1', ['2020-01-01'])
  for (const person of people) await person.get('/api/v1/timelines/home')
  await world.advance(0)
}

test('feeds hold what a naive recomputation says, after 2,000 random acts of 50 people', async () => {
  const world = await openWorld({})
  const seed = Date.now() % 1_000_000
  const { people, lists } = await lively(world, seed)

  const rows = await rowsOf(world)
  expect(rows.statuses.length).toBeGreaterThan(200)
  const faults = people.flatMap(({ id }) => faultsOf(rows, id))
  expect(faults, `the seed is ${seed}`).toEqual([])

  for (const { id, by } of lists.slice(0, 10)) {
    const list = rows.lists.find((row) => row.id === id)
    if (!list) continue
    const wanted = rows.statuses.filter((status) => belongsInList(rows, status, list))
    expect(await readWhole(by, `/api/v1/timelines/list/${id}`), `the seed is ${seed}`).toEqual(wanted.map(({ id }) => id).reverse())
  }

  // Homes made again have their boosts in one order only.
  await refreshHomes(world, people)
  const rebuilt = await rowsOf(world)
  for (const { id } of people) {
    const belonging = rebuilt.statuses.filter((status) => belongsInHome(rebuilt, status, id))
    expect(rebuilt.feeds.get(id) ?? [], `the seed is ${seed}`).toEqual(asTheyCome(belonging).map((status) => status.id))
  }
  // Eight seconds on a quiet machine.
}, 240_000)

/** Rows as if homes held what their readers are shown. */
const withHomesAsRead = async (rows: Rows, people: readonly Person[]): Promise<Rows> => {
  const feeds = new Map<string, string[]>()
  for (const person of people) feeds.set(person.id, (await readWhole(person, '/api/v1/timelines/home')).reverse())
  return { ...rows, feeds }
}

test('homes show the same where the posts of whom many follow are not written to them', async () => {
  const world = await openWorld({ FAN_OUT_MAX_FOLLOWERS: PULLS_ABOVE })
  const seed = Date.now() % 1_000_000
  // By chance alone it may take nearly all acts until anyone has so many followers.
  const { people } = await lively(world, seed, 3)

  const rows = await rowsOf(world)
  const pulled = await query(
    world,
    'select id from statuses.status_head h join statuses.pulled_author p on p.account_id = h.author_id and h.id > p.since_id',
  )
  expect(pulled.length, `the seed is ${seed}`).toBeGreaterThan(40)
  const byFollow = await query(
    world,
    `select f.account_id from statuses.feed f join statuses.status_head h on h.id = f.status_id
     join statuses.pulled_author p on p.account_id = h.author_id and h.id > p.since_id
     where f.account_id <> h.author_id and not exists (
       select 1 from statuses.status_tag t join statuses.tag_follow w on w.name = t.name where t.status_id = h.id and w.account_id = f.account_id)`,
  )
  expect(byFollow).toEqual([])
  const read = await withHomesAsRead(rows, people)
  expect(
    people.flatMap(({ id }) => faultsOf(read, id, { isRead: true })),
    `the seed is ${seed}`,
  ).toEqual([])

  await refreshHomes(world, people)
  const rebuilt = await withHomesAsRead(await rowsOf(world), people)
  expect(
    people.flatMap(({ id }) => faultsOf(rebuilt, id, { isRead: true })),
    `the seed is ${seed}`,
  ).toEqual([])
}, 240_000)
