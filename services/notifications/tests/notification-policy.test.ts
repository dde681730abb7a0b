import { callWithin } from '@rookery/rpc/call-within'
import { type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Notification policies (beyond-the-spec 1.1, 1.14, 2.4).

const POLICY = '/api/v2/notifications/policy'
const POLICY_V1 = '/api/v1/notifications/policy'
const REQUESTS = '/api/v1/notifications/requests'
const DEFAULTS = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
}
const NONE_PENDING = { pending_requests_count: 0, pending_notifications_count: 0 }
const DAY = 24 * 3600 * 1000

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let mara: Person
let stranger: Person
let round = 0

beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())
beforeEach(async () => {
  const names = [`mara${++round}`, `stranger${round}`] as const
  const people = await world.cast(...names)
  ;[mara, stranger] = names.map((name) => people[name]!) as [Person, Person]
})

const whispers = (person: Person, text = 'psst', more: object = {}) =>
  person.says(`@${mara.username} ${text}`, { visibility: 'direct', ...more })
const change = async (body: object) => expect((await mara.asks('PATCH', POLICY, { body })).status).toBe(200)
const types = async (query = ''): Promise<string[]> => {
  await world.idle()
  return (await mara.notifications(query)).map(({ type, filtered }: Json) => (filtered ? `${type} filtered` : type))
}
const requests = async (): Promise<Json[]> => {
  await world.idle()
  return (await mara.get(REQUESTS)).body
}

describe('a policy', () => {
  test('is the default until it is changed, by PATCH and by PUT, field by field', async () => {
    expect((await mara.get(POLICY)).body).toEqual({ ...DEFAULTS, summary: NONE_PENDING })
    const patched = await mara.asks('PATCH', POLICY, { body: { for_new_accounts: 'drop' } })
    expect(patched.body).toEqual({ ...DEFAULTS, for_new_accounts: 'drop', summary: NONE_PENDING })
    const put = await mara.asks('PUT', POLICY, { body: new URLSearchParams({ for_limited_accounts: 'accept' }) })
    expect(put.body).toMatchObject({ for_new_accounts: 'drop', for_limited_accounts: 'accept', for_private_mentions: 'filter' })
    expect((await mara.get(POLICY)).body).toEqual(put.body)
    expect((await stranger.get(POLICY)).body).toMatchObject(DEFAULTS)
  })

  test('with an unknown value is refused, and what was there stays', async () => {
    const refused = await mara.asks('PATCH', POLICY, { body: { for_new_accounts: 'mute', for_not_following: 'drop' } })
    expect([refused.status, refused.body]).toEqual([422, { error: 'Validation failed: For new accounts is not included in the list' }])
    expect((await mara.get(POLICY)).body).toMatchObject(DEFAULTS)
  })

  test('is booleans in version 1, which takes them too', async () => {
    const v1 = { filter_not_following: false, filter_not_followers: false, filter_new_accounts: false, filter_private_mentions: true }
    expect((await mara.get(POLICY_V1)).body).toEqual({ ...v1, summary: NONE_PENDING })
    await change({ for_not_followers: 'drop' })
    const put = await mara.asks('PUT', POLICY_V1, { body: { filter_not_following: true, filter_private_mentions: 'false' } })
    expect(put.body).toMatchObject({ filter_not_following: true, filter_not_followers: true, filter_private_mentions: false })
    expect((await mara.get(POLICY)).body).toMatchObject({
      for_not_following: 'filter',
      for_not_followers: 'drop',
      for_private_mentions: 'accept',
    })
  })

  test('costs one statement beside the token', async () => {
    await mara.get(POLICY)
    await mara.get(POLICY)
    expect(world.lastRequest.statements).toBeLessThanOrEqual(2)
  })
})

describe('a private mention by a stranger', () => {
  test('waits as a request, and shows in no list, count, or stream', async () => {
    const stream = await mara.listens('user:notification')
    const first = await whispers(stranger, 'tea?')
    const said = await whispers(stranger, 'coffee?')
    await stranger.follows(mara)
    expect(await types()).toEqual(['follow'])
    await stream.hears(({ event }) => event === 'notification')
    expect(stream.frames.map(({ payload }: Json) => JSON.parse(payload).type)).toEqual(['follow'])
    expect(await types('?include_filtered=true')).toEqual(['follow', 'mention filtered', 'mention filtered'])
    expect(await types(`?account_id=${stranger.id}`)).toEqual(['follow', 'mention filtered', 'mention filtered'])
    const unread = async (query: string) => (await mara.get(`/api/v1/notifications/unread_count${query}`)).body.count
    expect([await unread(''), await unread('?include_filtered=1')]).toEqual([1, 3])
    const [request, ...more] = await requests()
    expect(more).toEqual([])
    expect(request).toEqual({
      id: expect.stringMatching(/^\d+$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/Z$/),
      notifications_count: '2',
      account: expect.objectContaining({ id: stranger.id, acct: stranger.username }),
      last_status: expect.objectContaining({ id: said.id, visibility: 'direct' }),
    })
    expect(Date.parse(request.updated_at)).toBeGreaterThanOrEqual(Date.parse(request.created_at))
    expect((await mara.get(`${REQUESTS}/${request.id}`)).body).toEqual(request)
    expect((await mara.get(POLICY)).body.summary).toEqual({ pending_requests_count: 1, pending_notifications_count: 2 })
    for (const status of [first, said]) await stranger.asks('DELETE', `/api/v1/statuses/${status.id}`)
    expect(await requests()).toEqual([])
    await stream.close()
  })

  test('is counted as the list of requests shows it: nothing of an account that is hidden', async () => {
    await whispers(stranger)
    await world.idle()
    const counts = async () => [(await mara.get(POLICY)).body.summary, (await requests()).length]
    const pending = { pending_requests_count: 1, pending_notifications_count: 1 }
    expect(await counts()).toEqual([pending, 1])
    const suspend = (is: boolean) => query(world, 'update statuses.account set is_suspended = $2 where id = $1', [stranger.id, is])
    await suspend(true)
    expect(await counts()).toEqual([NONE_PENDING, 0])
    await suspend(false)
    expect(await counts()).toEqual([pending, 1])
    // A page is filled past the hidden: apps take an empty one for the end.
    const later = [await world.person(`later${round}`), await world.person(`latest${round}`)]
    for (const each of later) await whispers(each)
    await world.idle()
    await query(world, 'update statuses.account set is_suspended = true where id = any($1)', [later.map(({ id }) => id)])
    expect((await mara.get(`${REQUESTS}?limit=1`)).body.map(({ account }: Json) => account.id)).toEqual([stranger.id])
  })

  test('passes when the stranger answers a direct status of hers, and not when it was of someone else', async () => {
    const [joel] = [await world.person(`joel${round}`)]
    const hers = await mara.says(`@${stranger.username} tea?`, { visibility: 'direct' })
    await whispers(stranger, 'yes', { in_reply_to_id: hers.id })
    expect(await types()).toEqual(['mention'])
    const his = await joel.says(`@${stranger.username} tea?`, { visibility: 'direct' })
    await whispers(stranger, 'look', { in_reply_to_id: his.id })
    expect(await types('?include_filtered=true')).toEqual(['mention filtered', 'mention'])
  })

  test('passes when she follows the author, and when the author is staff', async () => {
    await mara.follows(stranger)
    await whispers(stranger)
    const owner = await world.person(`owner${round}`, { role: 'owner' })
    await whispers(owner)
    expect(await types()).toEqual(['mention', 'mention'])
    expect(await requests()).toEqual([])
  })
})

describe('a policy to filter', () => {
  test('strangers holds back what they do, but opens requests for mentions alone', async () => {
    await change({ for_not_following: 'filter' })
    const said = await mara.says('tea')
    await stranger.reacts('favourite', said)
    await stranger.reacts('reblog', said)
    await stranger.follows(mara)
    expect([await types(), await requests()]).toEqual([[], []])
    expect(await types('?include_filtered=true')).toEqual(['follow filtered', 'reblog filtered', 'favourite filtered'])
  })

  test('new accounts ends after 30 days', async () => {
    await change({ for_new_accounts: 'filter' })
    await stranger.says(`@${mara.username} tea`)
    expect(await types()).toEqual([])
    await world.advance(31 * DAY)
    await stranger.says(`@${mara.username} more tea`)
    expect(await types()).toEqual(['mention'])
  })

  test('limited accounts is there from the start', async () => {
    const call = callWithin(30, 'policy')
    await world.operator().setSilenced(call, { username: stranger.username, isSilenced: true })
    await stranger.says(`@${mara.username} tea`)
    expect(await types()).toEqual([])
    expect(await requests()).toHaveLength(1)
  })

  test('becomes one to filter of followers, who count as such after three days', async () => {
    await change({ for_not_followers: 'filter' })
    await stranger.follows(mara)
    expect(await types('?include_filtered=true')).toEqual(['follow filtered'])
    await stranger.says(`@${mara.username} tea`)
    expect((await requests()).map(({ notifications_count }) => notifications_count)).toEqual(['1'])
    await world.advance(3 * DAY)
    await stranger.says(`@${mara.username} milk`)
    await stranger.reacts('favourite', await mara.says('x'))
    expect(await types()).toEqual(['favourite', 'mention'])
  })

  test('becomes one to drop, which keeps nothing', async () => {
    await change({ for_not_followers: 'drop' })
    await stranger.says(`@${mara.username} tea`)
    expect([await types('?include_filtered=true'), await requests()]).toEqual([[], []])
  })
})

describe('a request', () => {
  const received = async () => {
    await whispers(stranger, 'tea?')
    return (await requests())[0]
  }

  test('that is accepted shows what was held back, lets the account pass, and announces it', async () => {
    const streams = [await mara.listens('user'), await mara.listens('user:notification')]
    const { id } = await received()
    const accepted = await mara.post(`${REQUESTS}/${id}/accept`)
    expect([accepted.status, accepted.body]).toEqual([200, {}])
    await world.advance(0)
    expect(await types()).toEqual(['mention'])
    expect((await mara.get(`${REQUESTS}/merged`)).body).toEqual({ merged: true })
    for (const stream of streams) {
      expect(await stream.hears(({ event }) => event === 'notifications_merged')).toMatchObject({ payload: '1' })
      await stream.close()
    }
    await whispers(stranger, 'coffee?')
    expect(await types()).toEqual(['mention', 'mention'])
    expect(await requests()).toEqual([])
    expect((await mara.post(`${REQUESTS}/${id}/accept`)).status).toBe(404)
  })

  test('that is accepted puts what was held back into its groups, where it was not before', async () => {
    await change({ for_not_following: 'filter' })
    const said = await mara.says('tea')
    await stranger.reacts('favourite', said)
    await stranger.says(`@${mara.username} good tea`)
    const groups = async (query = ''): Promise<string[]> => {
      await world.idle()
      const { body } = await mara.get(`/api/v2/notifications${query}`)
      return body.notification_groups.map(({ group_key: key }: Json) => key.split('-')[0])
    }
    expect([await groups(), await groups('?include_filtered=true')]).toEqual([[], ['ungrouped', 'ungrouped']])
    const [request] = await requests()
    await mara.post(`${REQUESTS}/${request.id}/accept`)
    await world.advance(0)
    expect(await groups()).toEqual(['ungrouped', 'favourite'])
    const other = await world.person(`joel${round}`)
    await mara.follows(other)
    await other.reacts('favourite', said)
    await world.idle()
    const [first] = (await mara.get('/api/v2/notifications')).body.notification_groups
    expect(first).toMatchObject({ type: 'favourite', notifications_count: 2, sample_account_ids: [other.id, stranger.id] })
  })

  test('that is dismissed is gone, and what it held stays hidden', async () => {
    const { id } = await received()
    expect((await mara.post(`${REQUESTS}/${id}/dismiss`)).body).toEqual({})
    expect([await requests(), await types()]).toEqual([[], []])
    expect((await mara.get(`${REQUESTS}/${id}`)).status).toBe(404)
    await whispers(stranger, 'coffee?')
    expect((await requests()).map(({ notifications_count: count }) => count)).toEqual(['1'])
  })

  test('is answered with others at once; those that are not there are passed over', async () => {
    const joel = await world.person(`joel${round}`)
    await whispers(joel)
    const { id: first } = await received()
    const [, second] = await requests()
    expect((await mara.post(`${REQUESTS}/accept`, { id: [first, '9999999'] })).body).toEqual({})
    expect((await mara.post(`${REQUESTS}/dismiss`, new URLSearchParams({ 'id[]': second.id }))).body).toEqual({})
    await world.advance(0)
    expect([await requests(), await types()]).toEqual([[], ['mention']])
    for (const act of ['accept', 'dismiss']) expect((await mara.post(`${REQUESTS}/${act}`)).body).toEqual({})
  })

  test('is removed by a block', async () => {
    await received()
    await mara.does('block', stranger)
    expect(await requests()).toEqual([])
    expect((await mara.get(POLICY)).body.summary).toEqual(NONE_PENDING)
  })
})

test('requests are paged by 40, with links', async () => {
  const people: Person[] = []
  for (let index = 0; index < 3; index++) people.push(await world.person(`paged${round}_${index}`))
  for (const person of people) await whispers(person)
  await world.idle()
  const first = await mara.get(`${REQUESTS}?limit=2`)
  expect(first.body.map(({ account }: Json) => account.id)).toEqual([people[2]!.id, people[1]!.id])
  const [oldest, newest] = [first.body[1].id, first.body[0].id]
  expect(first.headers.get('link')).toBe(
    `<${world.origin}${REQUESTS}?limit=2&max_id=${oldest}>; rel="next", <${world.origin}${REQUESTS}?limit=2&min_id=${newest}>; rel="prev"`,
  )
  expect(world.lastRequest.statements).toBeLessThanOrEqual(6)
  const second = await mara.get(`${REQUESTS}?limit=2&max_id=${oldest}`)
  expect(second.body.map(({ account }: Json) => account.id)).toEqual([people[0]!.id])
})

describe('notifications', () => {
  test('are deleted one by one and together, and those of others are not', async () => {
    const said = await mara.says('tea')
    await stranger.reacts('favourite', said)
    await stranger.reacts('reblog', said)
    await stranger.follows(mara)
    await world.idle()
    const ids: string[] = (await mara.notifications()).map(({ id }: Json) => id)
    const path = `/api/v1/notifications/${ids[0]}`
    expect((await stranger.asks('DELETE', path)).status).toBe(404)
    const deleted = await mara.asks('DELETE', path)
    expect([deleted.status, deleted.body]).toEqual([200, {}])
    expect((await mara.asks('DELETE', path)).status).toBe(404)
    const together = '/api/v1/notifications/destroy_multiple'
    expect((await stranger.asks('DELETE', together, { body: { ids: ids.slice(1) } })).body).toEqual({})
    expect(await types()).toEqual(['reblog', 'favourite'])
    expect((await mara.asks('DELETE', `${together}?ids[]=${ids[1]}&ids[]=${ids[2]}&ids[]=x`)).body).toEqual({})
    expect(await types()).toEqual([])
  })

  test('that are cleared take the requests with them', async () => {
    await whispers(stranger)
    expect(await requests()).toHaveLength(1)
    await mara.post('/api/v1/notifications/clear')
    expect([await requests(), await types('?include_filtered=true')]).toEqual([[], []])
  })
})
