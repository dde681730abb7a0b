import { type Person, World } from '@rookery/test-world'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const HALF_A_DAY = 12 * 3_600_000

let world: World
let database: pg.Client
let number = 0

beforeAll(async () => {
  world = await World.open()
  database = new pg.Client({ connectionString: world.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await world.close()
})
/** Groups end with half a day: every test begins at the start of one. */
beforeEach(() => world.clock.advance(HALF_A_DAY - (world.clock.now() % HALF_A_DAY)))

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

/** An author with a status, and others. */
const scene = async (others: number) => {
  const name = `grp${++number}`
  const names = Array.from({ length: others }, (_, index) => `${name}_${index}`)
  const cast = (await world.cast(`${name}_author`, ...names)) as Record<string, Person>
  const author = cast[`${name}_author`]!
  return { author, people: names.map((each) => cast[each]!), status: await author.says('tea') }
}
const groupsOf = async (person: Person, query = '') => {
  const answer = await person.get(`/api/v2/notifications${query}`)
  expect(answer.status).toBe(200)
  return answer.body as Json
}
const keysOf = (body: Json): string[] => body.notification_groups.map(({ group_key }: Json) => group_key)
const favourites = async (people: Person[], status: { id: string }) => {
  for (const person of people) await person.reacts('favourite', status)
  await world.idle()
}

test('what is done to one status is one group, with its count, its latest accounts and the status once', async () => {
  const { author, people, status } = await scene(10)
  await favourites(people, status)
  await people[0]!.reacts('reblog', status)
  await people[1]!.says(`@${author.username} hello`)
  await world.idle()
  const { accounts, statuses, notification_groups: groups } = await groupsOf(author)
  expect(groups.map(({ type, notifications_count }: Json) => [type, notifications_count])).toEqual([
    ['mention', 1],
    ['reblog', 1],
    ['favourite', 10],
  ])
  const [mention, , favourite] = groups
  expect(mention.group_key).toBe(`ungrouped-${mention.most_recent_notification_id}`)
  expect(favourite).toEqual({
    group_key: expect.stringMatching(new RegExp(`^favourite-${status.id}-\\d+$`)),
    notifications_count: 10,
    type: 'favourite',
    most_recent_notification_id: expect.any(Number),
    page_min_id: expect.any(String),
    page_max_id: String(favourite.most_recent_notification_id),
    latest_page_notification_at: expect.stringMatching(/^\d{4}-/),
    sample_account_ids: people
      .slice(2)
      .map(({ id }) => id)
      .reverse(),
    status_id: status.id,
  })
  expect(statuses.map(({ id }: Json) => id)).toEqual([mention.status_id, status.id])
  expect(accounts.map(({ id }: Json) => id).sort()).toEqual(people.map(({ id }) => id).sort())
})

test('notifications of API v1 and of streams name the same group', async () => {
  const { author, people, status } = await scene(1)
  const stream = await author.listens('user:notification')
  await favourites(people, status)
  const [group] = (await groupsOf(author)).notification_groups
  const [single] = (await author.get('/api/v1/notifications')).body
  const frame = await stream.hears(({ event }) => event === 'notification')
  expect([single.group_key, JSON.parse(frame.payload!).group_key]).toEqual([group.group_key, group.group_key])
  await stream.close()
})

test('what comes half a day later is another group', async () => {
  const { author, people, status } = await scene(2)
  await favourites(people.slice(0, 1), status)
  world.clock.advance(HALF_A_DAY)
  await favourites(people.slice(1), status)
  expect((await groupsOf(author)).notification_groups.map(({ notifications_count: count }: Json) => count)).toEqual([1, 1])
})

test('a group that grows while a list is paged stands once, before those read', async () => {
  const { author, people, status } = await scene(3)
  const statuses = [status, await author.says('milk'), await author.says('rice')]
  for (const each of statuses) await favourites(people.slice(0, 1), each)
  const first = await author.get('/api/v2/notifications?limit=2')
  await favourites(people.slice(1), statuses[0]!)
  const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!)
  const second = await groupsOf(author, next.search)
  expect([...keysOf(first.body), ...keysOf(second)].length).toBe(2)
  const fresh = await groupsOf(author, `?min_id=${first.body.notification_groups[0].page_max_id}`)
  expect(fresh.notification_groups.map(({ status_id, notifications_count }: Json) => [status_id, notifications_count])).toEqual([
    [status.id, 3],
  ])
  expect(keysOf(await groupsOf(author))).toHaveLength(3)
})

describe('a list of groups', () => {
  test('takes types, excluded types, one account, and fewer types to group', async () => {
    const { author, people, status } = await scene(3)
    await favourites(people, status)
    for (const person of people) await person.follows(author)
    await world.idle()
    const countsOf = async (query: string) =>
      (await groupsOf(author, query)).notification_groups.map(({ type, notifications_count: count }: Json) => `${type} ${count}`)
    expect(await countsOf('')).toEqual(['follow 3', 'favourite 3'])
    expect(await countsOf('?types[]=favourite')).toEqual(['favourite 3'])
    expect(await countsOf('?types[]=nonsense')).toEqual([])
    expect(await countsOf('?exclude_types[]=favourite')).toEqual(['follow 3'])
    expect(await countsOf('?grouped_types[]=favourite')).toEqual(['follow 1', 'follow 1', 'follow 1', 'favourite 3'])
    expect(await countsOf('?grouped_types[]=none')).toHaveLength(6)
    expect(await countsOf(`?account_id=${people[0]!.id}`)).toEqual(['follow 1', 'favourite 1'])
  })

  test('tells accounts beside the latest of each group in short when asked, and refuses another way', async () => {
    const { author, people, status } = await scene(3)
    await favourites(people, status)
    const body = await groupsOf(author, '?expand_accounts=partial_avatars')
    expect(body.accounts.map(({ id }: Json) => id)).toEqual([people[2]!.id])
    expect(body.partial_accounts).toEqual(
      [people[1]!, people[0]!].map(({ id, username }) => ({
        id,
        acct: username,
        locked: false,
        bot: false,
        url: expect.stringContaining(username),
        avatar: expect.any(String),
        avatar_static: expect.any(String),
      })),
    )
    expect((await groupsOf(author, '?expand_accounts=full')).partial_accounts).toBeUndefined()
    const refused = await author.get('/api/v2/notifications?expand_accounts=tiny')
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining("'expand_accounts'")])
  })

  test('says as far as which of its notifications the page reaches: to its end where the page is the last', async () => {
    const { author, people, status } = await scene(3)
    const latest = async () => Number((await author.notifications())[0]!.id)
    const ids: number[] = []
    for (const act of [
      () => people[0]!.reacts('favourite', status),
      () => people[1]!.says(`@${author.username} hello`),
      () => people[2]!.reacts('favourite', status),
    ]) {
      await act()
      await world.idle()
      ids.push(await latest())
    }
    const [first, mention, last] = ids.map(String)
    const reach = async (query: string) =>
      (await groupsOf(author, query)).notification_groups.map(({ page_min_id, page_max_id }: Json) => [page_min_id, page_max_id])
    const whole = [
      [first, last],
      [mention, mention],
    ]
    expect(await reach('')).toEqual(whole)
    expect(await reach('?limit=2')).toEqual([[last, last], whole[1]])
    expect(await reach(`?since_id=${first}`)).toEqual([[last, last], whole[1]])
    expect(await reach(`?max_id=${last}`)).toEqual([whole[1]])
    expect(await reach(`?min_id=${first}`)).toEqual([[last, last], whole[1]])
  })

  test('costs the same statements for groups of 1 and of 300', async () => {
    const { author, people, status } = await scene(2)
    await favourites(people.slice(0, 1), status)
    // By the second time, everything the page refers to is cached.
    for (let times = 0; times < 2; times++) await groupsOf(author)
    const few = world.lastRequest.statements
    await database.query(
      `insert into notifications.notification (recipient_id, type, actor_id, status_id, created_at, group_key)
       select recipient_id, type, 1000 + n, status_id, created_at, group_key
         from notifications.notification, generate_series(1, 300) n where recipient_id = $1 and type = 'favourite'`,
      [author.id],
    )
    await favourites(people.slice(1), status)
    await groupsOf(author)
    const [group] = (await groupsOf(author)).notification_groups
    expect([group.notifications_count, world.lastRequest.statements]).toEqual([302, few])
  })
})

describe('one group', () => {
  test('is read, its accounts are listed by pages, and it is dismissed', async () => {
    const { author, people, status } = await scene(3)
    await favourites(people, status)
    const [key] = keysOf(await groupsOf(author))
    const { body } = await author.get(`/api/v2/notifications/${key}`)
    expect(body.notification_groups).toEqual([expect.objectContaining({ group_key: key, notifications_count: 3 })])
    expect(body.notification_groups[0]).not.toHaveProperty('page_min_id')
    const first = await author.get(`/api/v2/notifications/${key}/accounts?limit=2`)
    expect(first.body.map(({ id }: Json) => id)).toEqual([people[2]!.id, people[1]!.id])
    const next = new URL(/<([^>]+)>; rel="next"/.exec(first.headers.get('link')!)![1]!)
    expect((await author.get(next.pathname + next.search)).body.map(({ id }: Json) => id)).toEqual([people[0]!.id])
    expect((await author.post(`/api/v2/notifications/${key}/dismiss`)).body).toEqual({})
    expect((await author.get(`/api/v2/notifications/${key}`)).status).toBe(404)
    expect((await author.get('/api/v1/notifications')).body).toEqual([])
  })

  test('that stands alone is read and dismissed by its key', async () => {
    const { author, people } = await scene(1)
    await people[0]!.says(`@${author.username} hello`)
    await world.idle()
    const [key] = keysOf(await groupsOf(author))
    expect((await author.get(`/api/v2/notifications/${key}`)).body.notification_groups).toHaveLength(1)
    expect((await author.get(`/api/v2/notifications/${key}/accounts`)).body.map(({ id }: Json) => id)).toEqual([people[0]!.id])
    await author.post(`/api/v2/notifications/${key}/dismiss`)
    expect(keysOf(await groupsOf(author))).toEqual([])
  })

  test.each(['favourite-1-1', 'ungrouped-1', 'ungrouped-x', 'constructor', '%00', "' or 1=1"])('is missing under %s', async (key) => {
    const { author } = await scene(0)
    const path = `/api/v2/notifications/${encodeURIComponent(key)}`
    for (const each of [path, `${path}/accounts`]) {
      const answer = await author.get(each)
      expect([each, answer.status]).toEqual([each, 404])
    }
  })

  test('of another person is missing, and stays theirs', async () => {
    const { author, people, status } = await scene(2)
    await favourites(people, status)
    const [key] = keysOf(await groupsOf(author))
    expect((await people[0]!.get(`/api/v2/notifications/${key}`)).status).toBe(404)
    expect((await people[0]!.get(`/api/v2/notifications/${key}/accounts`)).status).toBe(404)
    await people[0]!.post(`/api/v2/notifications/${key}/dismiss`)
    expect(keysOf(await groupsOf(author))).toEqual([key])
  })
})

test('unread groups are those with a notification after the marker', async () => {
  const { author, people, status } = await scene(3)
  const other = await author.says('milk')
  await favourites(people.slice(0, 1), status)
  await favourites(people.slice(0, 1), other)
  const unread = async (query = '') => (await author.get(`/api/v2/notifications/unread_count${query}`)).body
  expect(await unread()).toEqual({ count: 2 })
  const [{ page_max_id: read }] = (await groupsOf(author)).notification_groups
  await author.post('/api/v1/markers', { notifications: { last_read_id: read } })
  expect(await unread()).toEqual({ count: 0 })
  await favourites(people.slice(1), status)
  expect([await unread(), await unread('?grouped_types[]=none'), await unread('?limit=1')]).toEqual([
    { count: 1 },
    { count: 2 },
    { count: 1 },
  ])
  await author.post('/api/v2/notifications/clear')
  expect([await unread(), (await groupsOf(author)).notification_groups]).toEqual([{ count: 0 }, []])
})

const STORED = `select recipient_id, group_key, type, status_id, notifications_count::int as count, latest_id
  from notifications.notification_group order by 1, 2`
const COUNTED = `select recipient_id, group_key, min(type) as type, min(status_id) as status_id, count(*)::int as count, max(id) as latest_id
  from notifications.notification where group_key is not null group by 1, 2 order by 1, 2`

test('groups are what counting their notifications gives, after any acts', async () => {
  const { author, people, status } = await scene(4)
  const statuses = [status, await author.says('milk')]
  const acts = [
    'favourite',
    'unfavourite',
    'reblog',
    'unreblog',
    'follow',
    'unfollow',
    'block',
    'unblock',
    'dismiss',
    'dismiss one',
    'half a day',
  ] as const
  const step = fc.record({ act: fc.constantFrom(...acts), by: fc.nat(3), on: fc.nat(1) })
  const run: Record<(typeof acts)[number], (person: Person, target: { id: string }) => Promise<unknown>> = {
    favourite: (person, target) => person.post(`/api/v1/statuses/${target.id}/favourite`),
    unfavourite: (person, target) => person.post(`/api/v1/statuses/${target.id}/unfavourite`),
    reblog: (person, target) => person.post(`/api/v1/statuses/${target.id}/reblog`),
    unreblog: (person, target) => person.post(`/api/v1/statuses/${target.id}/unreblog`),
    follow: (person) => person.post(`/api/v1/accounts/${author.id}/follow`),
    unfollow: (person) => person.post(`/api/v1/accounts/${author.id}/unfollow`),
    block: (person) => author.post(`/api/v1/accounts/${person.id}/block`),
    unblock: (person) => author.post(`/api/v1/accounts/${person.id}/unblock`),
    dismiss: async () => {
      const [key] = keysOf(await groupsOf(author))
      if (key) await author.post(`/api/v2/notifications/${key}/dismiss`)
    },
    'dismiss one': async () => {
      const [latest] = (await author.get('/api/v1/notifications')).body
      if (latest) await author.post(`/api/v1/notifications/${latest.id}/dismiss`)
    },
    'half a day': async () => world.clock.advance(HALF_A_DAY),
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const { act, by, on } of steps) await run[act](people[by]!, statuses[on]!)
      await world.idle()
      expect((await database.query(STORED)).rows).toEqual((await database.query(COUNTED)).rows)
    }),
    { numRuns: 12 },
  )
})

test('who goes on below the page_min_id of the last entry misses none, though the page was filled past hidden ones', async () => {
  const { author, people, status } = await scene(3)
  const [fan, writer, hidden] = people as [Person, Person, Person]
  await favourites([fan], status)
  await writer.says(`@${author.username} one`)
  await world.idle()
  await favourites([writer], status)
  await hidden.says(`@${author.username} unseen`)
  await world.idle()
  await database.query('update statuses.account set is_suspended = true where id = $1', [hidden.id])
  const keys = keysOf(await groupsOf(author))
  const [first] = (await groupsOf(author, '?limit=1')).notification_groups
  expect(keysOf(await groupsOf(author, `?limit=1&max_id=${first.page_min_id}`))).toEqual(keys.slice(1))
  expect([first.group_key, keys.length]).toEqual([keys[0], 2])
})

test('the accounts of a group are filled past suspended ones', async () => {
  const { author, people, status } = await scene(6)
  await favourites(people, status)
  const hidden = people.slice(1, 5)
  await database.query('update statuses.account set is_suspended = true where id = any($1)', [hidden.map(({ id }) => id)])
  const [key] = keysOf(await groupsOf(author))
  const pages = []
  for (const limit of [1, 2])
    pages.push((await author.get(`/api/v2/notifications/${key}/accounts?limit=${limit}`)).body.map(({ id }: Json) => id))
  expect(pages).toEqual([[people[5]!.id], [people[5]!.id, people[0]!.id]])
})
