import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAmongStrangers } from './strangers.ts'

// What people put on a server under addresses of their own, as files that they upload there, in the name of others of that server.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let mara: Person

beforeAll(async () => {
  among = await openAmongStrangers()
  mara = await among.world.person('mara')
})

afterAll(() => among?.close())

const search = async (url: string): Promise<Json[]> =>
  (await mara.get(`/api/v2/search?q=${encodeURIComponent(url)}&type=statuses&resolve=true`)).body.statuses
const NEWER = { content: '<p>forged</p>', updated: '2029-01-01T00:00:00Z' }

it('a file that says that it is a status of someone there changes nothing of that status', async () => {
  const ann = among.stranger('ann')
  const note = among.note(ann)
  expect(await search(note.id)).toMatchObject([{ content: '<p>hello</p>' }])
  const file = `${ann.origin}/media/1.json`
  among.servers.show(file, { ...note, ...NEWER })
  expect(await search(file)).toMatchObject([{ uri: note.id, content: '<p>hello</p>' }])
  expect(await search(note.id)).toMatchObject([{ content: '<p>hello</p>' }])
})

it('a file that says that it is a status of someone there is none where that server has no such status', async () => {
  const ben = among.stranger('ben')
  const file = `${ben.origin}/media/1.json`
  among.servers.show(file, { ...among.note(ben), id: `${ben.origin}/notes/never`, ...NEWER })
  expect(await search(file)).toEqual([])
})

it.each([
  ['as the activity that made it', 'Create'],
  ['as an activity that changed it', 'Update'],
])('a file that holds a status of someone there %s changes nothing of it', async (_how, type) => {
  const cem = among.stranger(`cem${type.toLowerCase()}`)
  const note = among.note(cem)
  await search(note.id)
  const file = `${cem.origin}/media/1.json`
  among.servers.show(file, { id: file, type, actor: cem.uri, object: { ...note, ...NEWER } })
  await search(file)
  expect(await search(note.id)).toMatchObject([{ content: '<p>hello</p>' }])
})

it('a reply to a file that says that it is a status stays a reply to what is unknown', async () => {
  const [dora, evil] = [among.stranger('dora'), among.stranger('evil')]
  const file = `${dora.origin}/media/1.json`
  among.servers.show(file, { ...among.note(dora), id: `${dora.origin}/notes/never`, ...NEWER })
  const reply = among.note(evil, { inReplyTo: file, tag: [among.mention('mara')], cc: [among.actorOf('mara')] })
  await among.sends(evil, { type: 'Create', object: reply })
  const [{ status }] = (await mara.notifications('?types[]=mention')) as Json[]
  expect(status).toMatchObject({ uri: reply.id, in_reply_to_id: null })
})

it('a status is found by another address of it, and by that of the activity that made it', async () => {
  const eva = among.stranger('eva')
  const note = among.note(eva)
  among.servers.show(`${eva.origin}/@eva/1`, note)
  const create = `${note.id}/activity`
  among.servers.show(create, { id: create, type: 'Create', actor: eva.uri, object: note })
  expect(await search(`${eva.origin}/@eva/1`)).toMatchObject([{ uri: note.id }])
  expect(await search(create)).toMatchObject([{ uri: note.id }])
})
