import type { Person, World } from '@rookery/test-world'
import { mediaAttachment } from '@rookery/test-world/contract'
import { multipart, type RawAnswer, send } from '@rookery/test-world/raw-request'
import { faultsIn } from '@rookery/test-world/shape'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { followsElsewhere, found, inHome, openServers } from './two-servers.ts'

// Pictures of one server on another one: served from its own addresses, and still available when the first server is gone.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

let servers: Awaited<ReturnType<typeof openServers>>
let here: World
let there: World
let mara: Person
let ann: Person

beforeAll(async () => {
  servers = await openServers()
  ;({ here, there } = servers)
  ;({ mara } = await here.cast('mara'))
  ;({ ann } = await there.cast('ann'))
  await followsElsewhere(mara, servers.handle(there, ann))
  await servers.idle()
})
afterAll(() => servers?.close())

const sent = (world: World, person: Person, method: string, path: string, name: string): Promise<RawAnswer> => {
  const part = { name, value: PIXEL, file: 'pixel.png', type: 'image/png' }
  return send(world.origin, { method, path, token: person.token, ...multipart([part]) })
}

/** Fetches a media address of the first server. */
const fetched = async (url: string) => {
  expect(url.startsWith(`${here.address}/media/remote/`)).toBe(true)
  const answer = await fetch(url.replace(here.address, here.origin))
  return { status: answer.status, type: answer.headers.get('content-type') }
}
const PNG = { status: 200, type: 'image/png' }

const posted = async (text: string) => {
  const { id } = (await sent(there, ann, 'POST', '/api/v2/media', 'file')).body
  const status = await ann.says(text, { media_ids: [id] })
  await servers.idle()
  const copy = await inHome(mara, status.uri)
  return { file: copy.media_attachments[0], own: status.media_attachments[0], copy }
}

test('a picture of another server is shown here, with what its server says of it', async () => {
  const { file, own } = await posted('look')
  expect(faultsIn(file, mediaAttachment)).toEqual([])
  expect(file).toMatchObject({ type: 'image', remote_url: own.url, blurhash: own.blurhash, meta: { original: { width: 1, height: 1 } } })
  expect([await fetched(file.url), await fetched(file.preview_url)]).toEqual([PNG, PNG])
})

test('the avatar of someone elsewhere is shown here, and the new one when they change it', async () => {
  await sent(there, ann, 'PATCH', '/api/v1/accounts/update_credentials', 'avatar')
  await servers.idle()
  const first = await found(mara, servers.handle(there, ann))
  expect([await fetched(first.avatar), await fetched(first.avatar_static)]).toEqual([PNG, PNG])
  await sent(there, ann, 'PATCH', '/api/v1/accounts/update_credentials', 'avatar')
  await servers.idle()
  const second = await found(mara, servers.handle(there, ann))
  expect(second.avatar).not.toBe(first.avatar)
  expect(await fetched(second.avatar)).toEqual(PNG)
})

test('a server whose media staff rejects shows none of them, and what was kept is gone', async () => {
  const { file, copy } = await posted('rejected')
  expect(await fetched(file.url)).toEqual(PNG)
  const staff = await here.owner('olga')
  const { hostname } = new URL(there.address)
  const block = await staff.post('/api/v1/admin/domain_blocks', { domain: hostname, severity: 'noop', reject_media: true })
  expect(block.status).toBe(200)
  await servers.idle()
  const [shown] = (await mara.get(`/api/v1/statuses/${copy.id}`)).body.media_attachments
  expect(shown).toMatchObject({ type: 'unknown', url: null, preview_url: null, remote_url: file.remote_url })
  expect(await fetched(file.url)).toMatchObject({ status: 404 })
  expect((await staff.asks('DELETE', `/api/v1/admin/domain_blocks/${block.body.id}`)).status).toBe(200)
  await servers.idle()
  expect(await fetched(file.url)).toEqual(PNG)
})

test('what was seen once is seen when its server is gone', async () => {
  const { file } = await posted('kept')
  expect(await fetched(file.url)).toEqual(PNG)
  await there.close()
  expect([await fetched(file.url), await fetched(file.preview_url)]).toEqual([PNG, PNG])
})
