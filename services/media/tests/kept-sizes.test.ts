import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Answer, type Person, World } from '@rookery/test-world'
import { query, runJob } from '@rookery/test-world/queries'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The disk space of files, as staff see it (beyond-the-spec 2.6, `space_usage`), and the size of one, as in feeds.

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

describe('the sum that is kept', () => {
  const kept = async () => {
    await runJob(world, 'sum-kept-bytes', 'media')
    const [row] = await query(world, 'select uploaded::int, remote::int from media.kept_bytes')
    return row
  }
  const counted = async () => {
    const [row] = await query(
      world,
      `select (select coalesce(sum(coalesce(original_bytes, 0) + coalesce(preview_bytes, 0)), 0)::int from media.attachment) uploaded,
         (select coalesce(sum(bytes), 0)::int from media.remote_file where is_kept) remote`,
    )
    return row
  }
  /** Changes a table without its triggers, so that only a full sum sees it. */
  const unseen = (statement: string) => query(world, `do $$ begin set local session_replication_role = replica; ${statement}; end $$`)
  const file = (n: number, bytes: number, isKept: boolean) =>
    `insert into media.remote_file (digest, purpose, domain, url, bytes, is_kept, asked_at)
     values ('d${n}', 'original', 'there.example', 'https://there.example/${n}', ${bytes}, ${isKept}, now())
     on conflict (digest) do update set bytes = excluded.bytes, is_kept = excluded.is_kept`

  test.each([
    ['files elsewhere become known', `${file(1, 500, false)}; ${file(2, 70, true)}; ${file(3, 9, true)}`],
    ['one is kept', 'update media.remote_file set is_kept = true'],
    ['one has another size', `${file(2, 1070, true)}`],
    ['one is lost', `${file(3, 9, false)}`],
    ['one is asked for', `update media.remote_file set asked_at = now()`],
    ['uploads change', 'update media.attachment set original_bytes = original_bytes + 7, preview_bytes = null'],
    ['nothing happens', 'select 1'],
    ['all are gone', 'delete from media.remote_file; delete from media.attachment'],
  ])('is that of all records when %s', async (_what, statements) => {
    await kept()
    await query(world, statements)
    expect(await kept()).toEqual(await counted())
    expect(await query(world, 'select * from media.kept_bytes_change')).toEqual([])
  })

  test('is that of all records after files came and went at once while it was made', async () => {
    const picture = await noise(60, 60)
    const comeAndGo = async () => {
      const { id } = (await send('POST', '/api/v2/media', { file: picture })).body
      await mara.asks('PUT', `/api/v1/media/${id}`, { body: { description: 'noise' } })
      await mara.asks('DELETE', `/api/v1/media/${id}`)
      await send('POST', '/api/v2/media', { file: picture })
    }
    await Promise.all([...Array.from({ length: 8 }, comeAndGo), kept(), kept()])
    expect(await kept()).toEqual(await counted())
  })

  test('is made from what changed, and from every record only where an older version made it last', async () => {
    await query(world, file(1, 500, true))
    const before = await kept()
    await unseen(`update media.remote_file set bytes = 501`)
    expect(await kept()).toEqual(before)
    await query(world, `update media.kept_bytes set remote = 12345, summed_at = summed_at + interval '1 second'`)
    await query(world, file(2, 70, true))
    expect(await kept()).toEqual({ ...before, remote: before.remote + 71 })
  })
})
