import type { Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAmongStrangers } from './strangers.ts'
import { found, relationship } from './two-servers.ts'

// What a person of another server may still do here once they are suspended: by staff, or by their own server.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let world: World
let mara: Person
let owner: Person

beforeAll(async () => {
  among = await openAmongStrangers()
  world = among.world
  mara = await world.person('mara')
  owner = await world.owner('owner')
})

afterAll(() => among?.close())

type Stranger = ReturnType<typeof among.stranger>

const BY: [who: string, suspends: (stranger: Stranger, accountId: string) => Promise<unknown>][] = [
  ['staff', (_stranger, accountId) => owner.post(`/api/v1/admin/accounts/${accountId}/action`, { type: 'suspend' })],
  [
    'their server',
    async (stranger) => {
      const document = { ...stranger.document, suspended: true }
      among.servers.show(stranger.uri, document)
      await among.sends(stranger, { type: 'Update', object: document })
    },
  ],
]

const suspended = async (name: string, suspends: (typeof BY)[number][1], before?: (stranger: Stranger) => Promise<unknown>) => {
  const stranger = among.stranger(name)
  const { id } = await found(mara, stranger.uri)
  await before?.(stranger)
  await suspends(stranger, id)
  await among.idle()
  return { stranger, id }
}

const follow = (stranger: Stranger) => among.sends(stranger, { type: 'Follow', object: among.actorOf('mara') })
const followersCount = async (): Promise<number> => (await mara.get(`/api/v1/accounts/${mara.id}`)).body.followers_count

it.each(BY)('who is suspended by %s follows no one here', async (who, suspends) => {
  const { stranger } = await suspended(`follower${BY.findIndex(([by]) => by === who)}`, suspends)
  const before = await followersCount()
  await follow(stranger)
  expect(await followersCount()).toBe(before)
  expect(among.sent('Accept', ({ object }: Json) => object.actor === stranger.uri)).toBeUndefined()
})

it.each(BY)('who is suspended by %s reads nothing that is for followers', async (who, suspends) => {
  const { stranger } = await suspended(`reader${BY.findIndex(([by]) => by === who)}`, suspends, follow)
  const status = await mara.says('for followers', { visibility: 'private' })
  const { pathname } = new URL(status.uri)
  expect(await among.fetches(pathname, stranger)).toEqual({ error: 'Record not found' })
})

it.each(BY)('who is suspended by %s favourites, votes and reports nothing', async (who, suspends) => {
  const { stranger } = await suspended(`doer${BY.findIndex(([by]) => by === who)}`, suspends)
  const status = await mara.says('tea?', { poll: { options: ['yes', 'no'], expires_in: 3600 } })
  await among.sends(stranger, { type: 'Like', object: status.uri })
  const vote = {
    id: `${stranger.origin}/votes/1`,
    type: 'Note',
    attributedTo: stranger.uri,
    inReplyTo: status.uri,
    name: 'yes',
    to: [among.actorOf('mara')],
  }
  await among.sends(stranger, { type: 'Create', object: vote })
  await among.sends(stranger, { type: 'Flag', object: [among.actorOf('mara'), status.uri], content: 'x' })
  const { body } = await mara.get(`/api/v1/statuses/${status.id}`)
  const reports = (await owner.get('/api/v1/admin/reports')).body
  expect([body.favourites_count, body.poll.votes_count, reports]).toEqual([0, 0, []])
  expect((await mara.notifications()).map(({ type }) => type)).not.toContain('favourite')
})

it.each(BY)('who is suspended by %s can still take back what they did', async (who, suspends) => {
  const status = await mara.says('liked once')
  const liked = async (stranger: Stranger) =>
    among.sends(stranger, { id: `${stranger.origin}/likes/once`, type: 'Like', object: status.uri })
  const { stranger } = await suspended(`undoer${BY.findIndex(([by]) => by === who)}`, suspends, liked)
  await among.sends(stranger, {
    type: 'Undo',
    object: { id: `${stranger.origin}/likes/once`, type: 'Like', actor: stranger.uri, object: status.uri },
  })
  expect((await mara.get(`/api/v1/statuses/${status.id}`)).body.favourites_count).toBe(0)
})

it.each(BY)('who is suspended by %s can still block and no longer block, which counts once that is over', async (who, suspends) => {
  const block = { type: 'Block', object: among.actorOf('mara') }
  const { stranger, id } = await suspended(`blocker${BY.findIndex(([by]) => by === who)}`, suspends, follow)
  await among.sends(stranger, { id: `${stranger.origin}/blocks/1`, ...block })
  expect(await relationship(mara, { id })).toMatchObject({ blocked_by: true, followed_by: false })
  await among.sends(stranger, { type: 'Undo', object: { id: `${stranger.origin}/blocks/1`, actor: stranger.uri, ...block } })
  expect(await relationship(mara, { id })).toMatchObject({ blocked_by: false })
})

it('what someone edits while staff suspend them here is there once that is over, and notified no one', async () => {
  const [stranger, joe] = [among.stranger('editor'), await world.person('joe')]
  const note = among.note(stranger, { tag: [among.mention('mara')] })
  await among.sends(stranger, { type: 'Create', object: note })
  const { status } = (await mara.notifications()).find((each) => each.status?.uri === note.id) as Json
  await mara.reacts('reblog', status)
  const edited = {
    ...note,
    content: '<p>better</p>',
    tag: [among.mention('mara'), among.mention('joe')],
    updated: new Date(world.clock.now() + 1000).toISOString(),
  }
  const action = `/api/v1/admin/accounts/${status.account.id}`
  const before = await mara.notifications()
  await owner.post(`${action}/action`, { type: 'suspend' })
  world.clock.advance(2000)
  await among.sends(stranger, { type: 'Update', object: edited })
  await among.sends(stranger, { type: 'Update', object: among.note(stranger, { tag: [among.mention('mara')] }) })
  await owner.post(`${action}/unsuspend`)
  await among.idle()
  expect((await mara.get(`/api/v1/statuses/${status.id}`)).body.content).toBe('<p>better</p>')
  expect([await mara.notifications(), await joe.notifications()]).toEqual([before.map(() => expect.anything()), []])
})
