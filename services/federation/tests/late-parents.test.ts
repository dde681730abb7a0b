import type { Person, World } from '@rookery/test-world'
import { holding, runJob, saidLongAgo } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAmongStrangers, PUBLIC } from './strangers.ts'
import { found } from './two-servers.ts'

// Replies that arrive before the status that they answer, which cannot be fetched then.

const DAY = 86_400_000

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let world: World
let mara: Person

beforeAll(async () => {
  among = await openAmongStrangers()
  world = among.world
  mara = await world.person('mara')
  await mara.asks('PATCH', '/api/v2/notifications/policy', { body: { for_private_mentions: 'accept' } })
})

afterAll(() => among?.close())

/** A note that mentions mara, which its server shows only from when it is delivered. */
const hidden = (stranger: ReturnType<typeof among.stranger>, more: Record<string, unknown> = {}) => {
  const note = among.note(stranger, { tag: [among.mention('mara')], cc: [among.actorOf('mara')], ...more })
  among.servers.off(`GET ${new URL(note.id).host}${new URL(note.id).pathname}`)
  return note
}
const delivers = (stranger: ReturnType<typeof among.stranger>, object: { id: string }) =>
  among.sends(stranger, { type: 'Create', object, id: `${object.id}/activity` })

/** A status as mara reads it, by its uri. */
const seen = async ({ id: uri }: { id: string }): Promise<Json> => {
  const [row] = await world.query('select id from statuses.status where uri = $1', [uri])
  return (await mara.get(`/api/v1/statuses/${row?.['id']}`)).body
}
const around = async (note: { id: string }) => {
  const { ancestors, descendants } = (await mara.get(`/api/v1/statuses/${(await seen(note)).id}/context`)).body
  return [ancestors, descendants].map((some: Json[]) => some.map(({ uri }) => uri))
}
const mentions = async (): Promise<Json[]> => mara.notifications('?types[]=mention&limit=80')

it('a reply and those below it are in the thread once what it answers arrives, and notify no one again', async () => {
  const [ann, ben] = [among.stranger('ann'), among.stranger('ben')]
  const parent = hidden(ann)
  const reply = hidden(ben, { inReplyTo: parent.id })
  const below = hidden(ann, { inReplyTo: reply.id })
  for (const [who, note] of [
    [ben, reply],
    [ann, below],
  ] as const)
    await delivers(who, note)
  expect(await seen(reply)).toMatchObject({ in_reply_to_id: null, in_reply_to_account_id: null })
  const before = await mentions()
  await delivers(ann, parent)
  const { id, account, replies_count } = await seen(parent)
  expect(replies_count).toBe(1)
  expect(await seen(reply)).toMatchObject({ in_reply_to_id: id, in_reply_to_account_id: account.id, edited_at: null })
  expect(await around(parent)).toEqual([[], [reply.id, below.id]])
  expect(await around(below)).toEqual([[parent.id, reply.id], []])
  expect((await mentions()).map(({ status }) => status.uri)).toEqual([parent.id, ...before.map(({ status }) => status.uri)])
})

it('a reply is in the thread once a reader opens it and what it answers can be fetched', async () => {
  const [ann, ben] = [among.stranger('ann2'), among.stranger('ben2')]
  const parent = hidden(ann)
  const reply = hidden(ben, { inReplyTo: parent.id })
  await delivers(ben, reply)
  for (const note of [parent, reply]) among.servers.show(note.id, note)
  await world.advance(16 * 60_000)
  await around(reply)
  await among.idle()
  expect(await around(reply)).toEqual([[parent.id], []])
  expect((await seen(parent)).replies_count).toBe(1)
})

it('what continues a thread of its author is in the homes of followers once the beginning is there', async () => {
  const ann = among.stranger('ann3')
  const account = await found(mara, ann.uri)
  await mara.post(`/api/v1/accounts/${account.id}/follow`)
  await among.idle()
  await among.sends(ann, { type: 'Accept', object: among.sent('Follow', ({ object }) => object === ann.uri) })
  const parent = hidden(ann, { tag: [], cc: [] })
  const reply = hidden(ann, { tag: [], cc: [], inReplyTo: parent.id })
  const uris = async () => (await mara.home()).map(({ uri }) => uri).filter((uri) => uri.startsWith(ann.origin))
  await delivers(ann, reply)
  expect(await uris()).toEqual([])
  await delivers(ann, parent)
  expect((await uris()).sort()).toEqual([parent.id, reply.id].sort())
})

it('a direct message and the one before it are one conversation, whichever arrives first, read where it was read', async () => {
  const ann = among.stranger('ann4')
  const direct = { to: [among.actorOf('mara')], cc: [] }
  const parent = hidden(ann, { ...direct, published: new Date(world.clock.now() - 1000).toISOString() })
  const reply = hidden(ann, { ...direct, inReplyTo: parent.id })
  await delivers(ann, reply)
  const conversations = async (): Promise<Json[]> =>
    (await mara.get('/api/v1/conversations')).body.map(({ id, unread, last_status }: Json) => [id, unread, last_status.uri])
  const [[id]] = (await conversations()) as [[string]]
  await mara.post(`/api/v1/conversations/${id}/read`)
  await delivers(ann, parent)
  expect(await conversations()).toEqual([[id, false, reply.id]])
})

it('who muted the conversation of a reply has muted the thread that it turns out to be in', async () => {
  const [ann, ben] = [among.stranger('ann5'), among.stranger('ben5')]
  const parent = hidden(ann, { tag: [], cc: [among.actorOf('mara')] })
  const reply = hidden(ben, { inReplyTo: parent.id })
  await delivers(ben, reply)
  await mara.post(`/api/v1/statuses/${(await seen(reply)).id}/mute`)
  await delivers(ann, parent)
  const before = (await mentions()).length
  await delivers(ann, hidden(ann, { inReplyTo: parent.id }))
  expect((await seen(parent)).muted).toBe(true)
  expect(await mentions()).toHaveLength(before)
})

it('a reply that is posted while its thread joins another is in that too', async () => {
  const [ann, ben] = [among.stranger('ann11'), among.stranger('ben11')]
  const parent = hidden(ann)
  const reply = hidden(ben, { inReplyTo: parent.id })
  await delivers(ben, reply)
  const { id } = await seen(reply)
  const areWaiting = async (count: number) => {
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and usename = 'statuses' and wait_event_type = 'Lock'"
    while ((await world.query(waiting)).length < count);
  }
  // The post, which has read its thread, and then what moves the thread wait for the reply.
  const held = await holding(world)
  await held.query('select 1 from statuses.status_head where id = $1 for update', [id])
  const posting = mara.says('below', { in_reply_to_id: id })
  await areWaiting(1)
  const joining = delivers(ann, parent)
  await areWaiting(2)
  await held.end()
  const [below] = [await posting, await joining]
  await world.advance(60_000)
  await mara.post(`/api/v1/statuses/${(await seen(parent)).id}/mute`)
  expect((await mara.get(`/api/v1/statuses/${below.id}`)).body.muted).toBe(true)
})

it('a thousand replies wait for a status, and no more', async () => {
  const [ann, ben] = [among.stranger('ann12'), among.stranger('ben12')]
  const parent = hidden(ann)
  const rows = [await saidLongAgo(world, mara, 999), parent.id]
  await world.query('insert into statuses.awaited_parent (status_id, uri, created_at) select unnest($1::bigint[]), $2, now()', rows)
  for (let count = 0; count < 2; count++) await delivers(ben, hidden(ben, { inReplyTo: parent.id }))
  expect(await world.query('select status_id from statuses.awaited_parent where uri = $1', [parent.id])).toHaveLength(1000)
})

it.each([
  [999, true],
  [1000, false],
])('a reply with %i statuses below it joins the thread of what it answers: %s', async (below, joins) => {
  const [ann, ben] = [among.stranger(`ann${below}`), among.stranger(`ben${below}`)]
  const parent = hidden(ann)
  const reply = hidden(ben, { inReplyTo: parent.id })
  await delivers(ben, reply)
  const rows = [(await seen(reply)).id, await saidLongAgo(world, mara, below)]
  await world.query('update statuses.status set in_reply_to_id = $1 where id = any($2)', rows)
  await delivers(ann, parent)
  expect((await seen(reply)).in_reply_to_id).toBe(joins ? (await seen(parent)).id : null)
})

it('two replies that each answer the other make no circle', async () => {
  const [ann, ben] = [among.stranger('ann6'), among.stranger('ben6')]
  const one = hidden(ann)
  const other = hidden(ben, { inReplyTo: one.id })
  await delivers(ben, other)
  await delivers(ann, { ...one, inReplyTo: other.id } as typeof one)
  expect(await around(other)).toEqual([[], [one.id]])
  expect(await seen(other)).toMatchObject({ in_reply_to_id: null, replies_count: 1 })
})

it('a reply to what its author may not see stays without it', async () => {
  const [ann, eve] = [among.stranger('ann7'), among.stranger('eve7')]
  const parent = hidden(ann, { to: [`${ann.uri}/followers`], cc: [among.actorOf('mara')] })
  const reply = hidden(eve, { inReplyTo: parent.id })
  await delivers(eve, reply)
  await delivers(ann, parent)
  expect(await seen(reply)).toMatchObject({ in_reply_to_id: null })
  expect((await seen(parent)).replies_count).toBe(0)
})

it('a reply waits for a month', async () => {
  const [ann, ben] = [among.stranger('ann8'), among.stranger('ben8')]
  const parent = hidden(ann)
  const reply = hidden(ben, { inReplyTo: parent.id })
  await delivers(ben, reply)
  const waiting = () => world.query('select status_id from statuses.awaited_parent where uri = $1', [parent.id])
  world.clock.advance(29 * DAY)
  await runJob(world, 'forget-awaited-parents')
  expect(await waiting()).toHaveLength(1)
  world.clock.advance(2 * DAY)
  await runJob(world, 'forget-awaited-parents')
  expect(await waiting()).toEqual([])
})

it('a deleted reply waits no more, and nothing waits for a status of this server', async () => {
  const [ann, ben] = [among.stranger('ann9'), among.stranger('ben9')]
  const parent = hidden(ann)
  const reply = hidden(ben, { inReplyTo: parent.id })
  await delivers(ben, reply)
  await among.sends(ben, { type: 'Delete', object: { id: reply.id, type: 'Tombstone' } })
  await delivers(ben, hidden(ben, { inReplyTo: `${among.actorOf('mara')}/statuses/1` }))
  await delivers(ann, parent)
  expect((await seen(parent)).replies_count).toBe(0)
  expect(await world.query('select uri from statuses.awaited_parent where uri like $1', [`${world.address}%`])).toEqual([])
})

it('a reply to a status of someone whom staff suspend here is in the thread once that is over', async () => {
  const [ann, ben] = [among.stranger('ann10'), among.stranger('ben10')]
  const owner = await world.owner('owner')
  const parent = among.note(ann, { tag: [among.mention('mara')] })
  await delivers(ann, parent)
  const { account } = await seen(parent)
  await owner.post(`/api/v1/admin/accounts/${account.id}/action`, { type: 'suspend' })
  const reply = hidden(ben, { inReplyTo: parent.id, to: [PUBLIC] })
  await delivers(ben, reply)
  await owner.post(`/api/v1/admin/accounts/${account.id}/unsuspend`)
  await among.idle()
  expect(await around(parent)).toEqual([[], [reply.id]])
})
