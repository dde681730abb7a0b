import { RemoteStatusesDefinition, Visibility } from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { following, type Stranger, said, stranger } from '@rookery/test-world/elsewhere'
import { idsOf } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// beyond-the-spec 1.11, 1.12, 1.15: what someone sees of a server that they shut out. joel did not: he sees what wary does not.

let world: World
let wary: Person
let joel: Person
let nora: Person
let shut: Stranger
let open: string
let reply: string
let root: string

beforeAll(async () => {
  world = await World.open()
  ;({ wary, joel, nora } = await world.cast('wary', 'joel', 'nora'))
  shut = await stranger(world, 'shut', 'shut.example')
  for (const person of [wary, nora]) await person.follows(joel)
  await following(world, joel, shut)
  await wary.post('/api/v1/tags/tea/follow')
  root = (await joel.says('root')).id
  expect((await wary.post('/api/v1/domain_blocks', { domain: 'shut.example' })).status).toBe(200)
  open = (await said(world, shut, 'tea', { tags: ['tea'] })).id
  reply = (await said(world, shut, 'yes', { inReplyToId: root })).id
})
afterAll(() => world.close())

const listed = async (path: string, person: Person) => idsOf((await person.get(path)).body)

describe('a status of a server that the viewer shut out', () => {
  test('is read by its id and on the profile of its author, favourited, boosted and bookmarked', async () => {
    expect((await wary.get(`/api/v1/statuses/${open}`)).status).toBe(200)
    expect(await listed(`/api/v1/accounts/${shut.id}/statuses`, wary)).toContain(open)
    for (const act of ['favourite', 'unfavourite', 'reblog', 'unreblog', 'bookmark', 'unbookmark'])
      expect([act, (await wary.post(`/api/v1/statuses/${open}/${act}`)).status]).toEqual([act, 200])
  })

  test.each(['/api/v1/timelines/public', '/api/v1/timelines/public?remote=true', '/api/v1/timelines/tag/tea', '/api/v1/timelines/home'])(
    'is not on %s, also with a followed tag',
    async (path) => {
      expect(await listed(path, joel)).toContain(open)
      expect(await listed(path, wary)).not.toContain(open)
    },
  )

  test('is not in a thread', async () => {
    const repliesFor = async (person: Person) => idsOf((await person.get(`/api/v1/statuses/${root}/context`)).body.descendants)
    expect(await repliesFor(joel)).toEqual([reply])
    expect(await repliesFor(wary)).toEqual([])
  })

  test('is in no home and on no list by the boost of an account that the viewer follows', async () => {
    const boost = (await joel.post(`/api/v1/statuses/${open}/reblog`)).body
    await world.idle()
    expect(await listed('/api/v1/timelines/home', nora)).toContain(boost.id)
    expect(await listed('/api/v1/timelines/home', wary)).not.toContain(boost.id)
    for (const person of [nora, wary]) {
      const list = (await person.post('/api/v1/lists', { title: 'friends' })).body.id
      await person.post(`/api/v1/lists/${list}/accounts`, { account_ids: [joel.id] })
      await world.idle()
      expect((await listed(`/api/v1/timelines/list/${list}`, person)).includes(boost.id)).toBe(person === nora)
    }
  })

  test('that is direct is neither a conversation nor a notification', async () => {
    await said(world, shut, 'psst', { mentionedAccountIds: [wary.id, nora.id], visibility: Visibility.DIRECT })
    expect((await nora.get('/api/v1/conversations')).body).toHaveLength(1)
    expect((await wary.get('/api/v1/conversations')).body).toEqual([])
    expect((await wary.get('/api/v1/notifications?include_filtered=true')).body).toEqual([])
  })
})

test('a boost by a server that the author shut out reaches neither the author nor the list of boosters that they see', async () => {
  const { id } = await wary.says('worth it')
  const boost = { uri: `${shut.uri}/boost`, authorId: shut.id, reblogOfId: id, visibility: Visibility.PUBLIC }
  await innerClient(world, RemoteStatusesDefinition).storeBoost(innerCall(), { ...boost, publishedAtMilliseconds: world.clock.now() })
  await world.idle()
  expect((await wary.get('/api/v1/notifications?include_filtered=true')).body).toEqual([])
  expect(await listed(`/api/v1/statuses/${id}/reblogged_by`, nora)).toEqual([shut.id])
  expect(await listed(`/api/v1/statuses/${id}/reblogged_by`, wary)).toEqual([])
})
