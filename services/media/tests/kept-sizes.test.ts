import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Answer, type Person, World } from '@rookery/test-world'
import { runJob } from '@rookery/test-world/queries'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'

// How much room files take, as staff see it (beyond-the-spec 2.6, `space_usage`), and how large one is, as readers of feeds learn.

const PATH = process.env['PATH'] ?? ''
const run = promisify(execFile)
const hasFfmpeg = await run('ffmpeg', ['-version']).then(
  () => true,
  () => false,
)

let world: World
let owner: Person
let mara: Person
beforeAll(async () => {
  world = await World.open({ settings: { VIDEO: 'auto', PATH } })
  owner = await world.owner('owner')
  mara = await world.person('mara')
})
afterAll(() => world.close())

const bytesStored = async (): Promise<number> => {
  await world.advance(0)
  await runJob(world, 'sum-kept-bytes', 'media')
  const [space] = (await owner.post('/api/v1/admin/dimensions', { keys: ['space_usage'] })).body
  return Number(space.data.find(({ key }: { key: string }) => key === 'media').value)
}

const noise = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#777', noise: { type: 'gaussian', mean: 120, sigma: 30 } } })
    .jpeg()
    .toBuffer()

const send = (method: string, path: string, fields: Record<string, Buffer>) => {
  const body = new FormData()
  for (const [name, bytes] of Object.entries(fields)) body.append(name, new File([new Uint8Array(bytes)], 'file'))
  return mara.asks(method, path, { body })
}

const bytesOf = async (url: string) => (await (await fetch(new URL(new URL(url).pathname, world.origin))).arrayBuffer()).byteLength
const bytesOfBoth = async ({ url, preview_url }: Answer['body']) => (await bytesOf(url)) + (await bytesOf(preview_url))

test('a picture takes the bytes of what is kept of it and of its preview, and none once it is deleted', async () => {
  const before = await bytesStored()
  const picture = (await send('POST', '/api/v2/media', { file: await noise(1600, 1200) })).body
  expect(await bytesStored()).toBe(before + (await bytesOfBoth(picture)))
  const changed = (await send('PUT', `/api/v1/media/${picture.id}`, { thumbnail: await noise(80, 80) })).body
  expect(changed.preview_url).not.toBe(picture.preview_url)
  expect(await bytesStored()).toBe(before + (await bytesOfBoth(changed)))
  await mara.asks('DELETE', `/api/v1/media/${picture.id}`)
  expect(await bytesStored()).toBe(before)
})

test.skipIf(!hasFfmpeg)('a film takes the bytes of what it was made into and of its preview', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-film-'))
  const path = join(folder, 'film.mp4')
  await run('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc=s=64x48:r=10:d=2', '-pix_fmt', 'yuv420p', '-y', path])
  const before = await bytesStored()
  const { id } = (await send('POST', '/api/v2/media', { file: await readFile(path) })).body
  await rm(folder, { recursive: true })
  await world.rookery.runJobs()
  const film = (await mara.get(`/api/v1/media/${id}`)).body
  expect(await bytesStored()).toBe(before + (await bytesOfBoth(film)))
})

test('a feed says how large the files of posts are', async () => {
  const { id, url } = (await send('POST', '/api/v2/media', { file: await noise(60, 60) })).body
  await mara.says('look', { media_ids: [id] })
  expect((await world.get('/@mara.rss')).text).toContain(`<enclosure url="${url}" length="${await bytesOf(url)}" type="image/`)
})
