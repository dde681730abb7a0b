import { type Person, World } from '@rookery/test-world'
import { linksOf, query, walk } from '@rookery/test-world/queries'
import { type Random, randomFrom } from '@rookery/test-world/random'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PEOPLE = 7
const ROUNDS = 25
/** Concurrent acts before their consequences are awaited and counts are compared. */
const TOGETHER = 12
const LIST = '/api/v1/notifications'
const GROUPS = '/api/v2/notifications'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

/** People who notify each other, read, and dismiss. Refused acts are fine, too. */
const liveliness = (people: readonly Person[], random: Random) => {
  const said: { id: string; by: Person }[] = []
  const someone = () => random.of(people)
  const publish = async (more: object = {}) => {
    const by = someone()
    const answer = await by.post('/api/v1/statuses', {
      status: `@${someone().username} @${someone().username} hello ${said.length}`,
      ...more,
    })
    if (answer.status === 200) said.push({ id: answer.body.id, by })
  }
  const toAccount = (act: string) => () => someone().post(`/api/v1/accounts/${someone().id}/${act}`)
  const toStatus = (act: string) => () => someone().post(`/api/v1/statuses/${random.of(said).id}/${act}`)
  const deletes = async () => {
    const { by, id } = random.of(said)
    await by.asks('DELETE', `/api/v1/statuses/${id}`)
  }
  const withNotification = (act: (reader: Person, id: string) => Promise<unknown>) => async () => {
    const reader = someone()
    const list = await reader.notifications('?include_filtered=true')
    if (list.length > 0) await act(reader, random.of(list).id)
  }
  const withGroup = (act: (reader: Person, key: string) => Promise<unknown>) => async () => {
    const reader = someone()
    const groups = (await reader.get(GROUPS)).body.notification_groups
    if (groups.length > 0) await act(reader, random.of<Json>(groups).group_key)
  }
  const answersRequest = async () => {
    const reader = someone()
    const requests = (await reader.get(`${LIST}/requests`)).body
    if (requests.length > 0) await reader.post(`${LIST}/requests/${random.of<Json>(requests).id}/${random.of(['accept', 'dismiss'])}`)
  }
  const changesPolicy = () => {
    const test = random.of(['for_not_following', 'for_not_followers', 'for_new_accounts', 'for_private_mentions'])
    return someone().asks('PATCH', `${GROUPS}/policy`, { body: { [test]: random.of(['accept', 'accept', 'filter', 'drop']) } })
  }
  /** Without consequences in other services: the notifications stay, hidden. */
  const suspends = (is: boolean) => () => query(world, 'update statuses.account set is_suspended = $2 where id = $1', [someone().id, is])
  const acts: [weight: number, act: () => Promise<unknown>][] = [
    [14, () => publish()],
    [6, () => publish({ visibility: 'direct' })],
    [5, () => publish({ in_reply_to_id: random.of(said).id, visibility: random.of(['public', 'private']) })],
    [3, deletes],
    [16, toStatus('favourite')],
    [3, toStatus('unfavourite')],
    [10, toStatus('reblog')],
    [2, toStatus('unreblog')],
    [2, toStatus('mute')],
    [10, toAccount('follow')],
    [4, toAccount('unfollow')],
    [2, toAccount('block')],
    [3, toAccount('unblock')],
    [2, toAccount('mute')],
    [3, toAccount('unmute')],
    [1, suspends(true)],
    [2, suspends(false)],
    [5, withNotification((reader, id) => reader.post('/api/v1/markers', { notifications: { last_read_id: id } }))],
    [2, withNotification((reader, id) => reader.post(`${LIST}/${id}/dismiss`))],
    [1, withNotification((reader, id) => reader.asks('DELETE', `${LIST}/${id}`))],
    [2, withGroup((reader, key) => reader.post(`${GROUPS}/${key}/dismiss`))],
    [0.5, () => someone().post(`${LIST}/clear`)],
    [2, changesPolicy],
    [2, answersRequest],
  ]
  const weighted = acts.flatMap(([weight, act]) => Array.from({ length: weight * 2 }, () => act))
  return { publish, act: () => random.of(weighted)() }
}

const markerOf = async (reader: Person): Promise<bigint> =>
  BigInt((await reader.get('/api/v1/markers?timeline[]=notifications')).body.notifications?.last_read_id ?? 0)

const unread = (ids: readonly (string | number)[], marker: bigint) => ids.filter((id) => BigInt(id) > marker).length

const allGroups = async (reader: Person, parameters: string): Promise<Json[]> => {
  const groups: Json[] = []
  for (let address: string | undefined = `${GROUPS}?limit=3&${parameters}`; address; ) {
    const answer = await reader.get(address)
    groups.push(...answer.body.notification_groups)
    address = linksOf(answer)['next']
  }
  return groups
}

/** Counts that differ from the complete list and the marker. */
const faultsOf = async (reader: Person, other: Person, marker: bigint): Promise<string[]> => {
  const queries = ['', 'types[]=mention', 'exclude_types[]=favourite', `account_id=${other.id}`, 'include_filtered=true']
  const faults: string[] = []
  const compare = async (path: string, parameters: string, wanted: number) => {
    for (const limit of [1000, 3]) {
      const address = `${path}/unread_count?limit=${limit}&${parameters}`
      const { count } = (await reader.get(address)).body
      if (count !== Math.min(limit, wanted)) faults.push(`${reader.username} ${address}: ${count}, not ${Math.min(limit, wanted)}`)
    }
  }
  for (const parameters of queries) {
    const list = (await walk(reader, `${LIST}?limit=5&${parameters}`)).flat().map(({ id }: Json) => id)
    await compare(LIST, parameters, unread(list, marker))
  }
  for (const parameters of [...queries, 'grouped_types[]=favourite']) {
    const groups = (await allGroups(reader, parameters)).map(({ most_recent_notification_id: id }: Json) => id)
    await compare(GROUPS, parameters, unread(groups, marker))
  }
  return faults
}

test('unread counts of both versions agree with lists and markers, throughout 300 random acts of 7 people', async () => {
  const seed = Date.now() % 1_000_000
  const random = randomFrom(seed)
  const people = Object.values(await world.cast(...Array.from({ length: PEOPLE }, (_, index) => `person${index}`)))
  const { publish, act } = liveliness(people, random)
  await publish()
  let compared = 0
  for (let round = 0; round < ROUNDS; round++) {
    await Promise.all(Array.from({ length: TOGETHER }, act))
    await world.advance(0)
    if (random.chance(0.05)) world.clock.advance(13 * 3_600_000)
    const readers = random.chance(0.2) ? people : [random.of(people), random.of(people)]
    for (const reader of readers) {
      const marker = await markerOf(reader)
      expect(await faultsOf(reader, random.of(people), marker), `the seed is ${seed}, round ${round}`).toEqual([])
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(ROUNDS)
}, 300_000)
