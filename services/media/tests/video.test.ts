import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Person, World } from '@rookery/test-world'
import { multipart, type RawAnswer, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corners } from './pictures.ts'

// Video and audio, from the upload to the page that plays them (spec, Media; beyond-the-spec 1.1, 1.10). Their processing is tested in
// motion.test.ts.

const PATH = process.env['PATH'] ?? ''
const run = promisify(execFile)
const hasFfmpeg = await run('ffmpeg', ['-version']).then(
  () => true,
  () => false,
)

const film = async (ending: string, ...args: string[]): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-film-'))
  try {
    await run('ffmpeg', ['-loglevel', 'error', ...args, '-y', join(folder, `film.${ending}`)])
    return await readFile(join(folder, `film.${ending}`))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
const STRIPES = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=10:d=2']
const TONE = ['-f', 'lavfi', '-i', 'sine=d=2']
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

type Part = Parameters<typeof multipart>[0][number]
const uploadTo = (world: World, person: Person, path: string, value: Buffer, more: Part[] = []): Promise<RawAnswer> =>
  send(world.origin, {
    method: 'POST',
    path,
    token: person.token,
    ...multipart([{ name: 'file', value, file: 'clip.bin', type: 'application/octet-stream' }, ...more]),
  })

describe('without ffmpeg', () => {
  test('pictures alone are announced and taken', async () => {
    const world = await World.open({ settings: { VIDEO: 'off' } })
    const { mara } = await world.cast('mara')
    const { body } = await world.get('/api/v2/instance')
    expect(body.configuration.media_attachments.supported_mime_types.filter((type: string) => !type.startsWith('image/'))).toEqual([])
    const head = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')
    expect(await uploadTo(world, mara, '/api/v2/media', head)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: File content type is invalid, File is invalid' },
    })
    await world.close()
  })
})

describe.skipIf(!hasFfmpeg)(hasFfmpeg ? 'with ffmpeg' : 'video and sound: left out, there is no ffmpeg', () => {
  let world: World
  let mara: Person
  let joel: Person
  let clip: Buffer
  beforeAll(async () => {
    world = await World.open({ settings: { VIDEO: 'auto', PATH } })
    ;({ mara, joel } = await world.cast('mara', 'joel'))
    clip = await film('mp4', ...STRIPES, ...TONE, ...H264, '-c:a', 'aac', '-shortest')
  })
  afterAll(() => world.close())

  const upload = (value: Buffer, { path = '/api/v2/media', more = [] as Part[] } = {}) => uploadTo(world, mara, path, value, more)
  const processed = async (value: Buffer): Promise<string> => {
    const { body } = await upload(value)
    await world.rookery.runJobs()
    return body.id
  }
  const publish = (...ids: string[]) => mara.asks('POST', '/api/v1/statuses', { body: { status: 'look', media_ids: ids } })

  test('both instance documents announce what is taken', async () => {
    for (const path of ['/api/v1/instance', '/api/v2/instance']) {
      const { supported_mime_types: types } = (await world.get(path)).body.configuration.media_attachments
      expect(types).toEqual(expect.arrayContaining(['image/gif', 'video/mp4', 'video/quicktime', 'video/webm', 'audio/mpeg', 'audio/ogg']))
    }
  })

  test('a clip is accepted with a preview, waits, is processed, posted, streamed by the piece and played', async () => {
    const { status, body } = await upload(clip, { more: [{ name: 'description', value: 'A clip' }] })
    expect(status).toBe(202)
    expect(body).toMatchObject({ type: 'video', url: null, preview_url: expect.stringMatching(/\/media\/.*\.jpg$/), description: 'A clip' })
    const path = `/api/v1/media/${body.id}`
    expect(await mara.asks('GET', path)).toMatchObject({ status: 206, body: { url: null } })
    expect(await mara.asks('PUT', path, { body: { focus: '0.5,0' } })).toMatchObject({
      status: 200,
      body: { meta: { focus: { x: 0.5, y: 0 } } },
    })
    expect(await publish(body.id)).toMatchObject({
      status: 422,
      body: { error: 'Cannot attach files that have not finished processing. Try again in a moment!' },
    })
    expect((await joel.asks('GET', path)).status).toBe(404)
    await world.rookery.runJobs()

    const done = await mara.asks('GET', path)
    expect(done).toMatchObject({ status: 200, body: { type: 'video', url: expect.stringMatching(/\/media\/.*\.mp4$/) } })
    expect(done.body.meta).toMatchObject({
      focus: { x: 0.5, y: 0 },
      length: '0:00:02.00',
      duration: 2,
      fps: 10,
      size: '64x48',
      width: 64,
      height: 48,
      audio_encode: 'aac (LC)',
      audio_bitrate: '44100 Hz',
      audio_channels: 'mono',
      original: { width: 64, height: 48, size: '64x48', aspect: 64 / 48, frame_rate: '10/1', duration: 2, bitrate: expect.any(Number) },
      small: { width: 64, height: 48, size: '64x48', aspect: 64 / 48 },
    })
    const said = await publish(body.id)
    expect(said).toMatchObject({ status: 200, body: { media_attachments: [{ ...done.body }] } })

    const file = await fetch(done.body.url, { headers: { range: 'bytes=100-199' } })
    expect(file.status).toBe(206)
    expect((await file.arrayBuffer()).byteLength).toBe(100)
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-range': expect.stringMatching(/^bytes 100-199\/\d+$/),
      'content-disposition': expect.stringMatching(/^inline; filename="[0-9a-f]{32}\.mp4"$/),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': expect.stringContaining('immutable'),
    })

    const page = await fetch(said.body.url, { headers: { accept: 'text/html' } })
    const html = await page.text()
    expect(html).toContain(`<video src="${done.body.url}" poster="${done.body.preview_url}" width="64" height="48" controls`)
    expect(html).toContain(`<meta property="og:image" content="${done.body.preview_url}">`)
    expect(html).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toContain('media-src')
  })

  test('a moving picture plays by itself and stands beside pictures, a recording has a player and stands alone', async () => {
    const moving = await processed(await film('mp4', ...STRIPES, ...H264))
    const sound = await processed(await film('mp3', ...TONE, '-c:a', 'libmp3lame'))
    expect((await mara.asks('GET', `/api/v1/media/${sound}`)).body).toMatchObject({
      type: 'audio',
      preview_url: null,
      blurhash: null,
      meta: {
        original: { duration: expect.any(Number), bitrate: expect.any(Number) },
        colors: { background: expect.stringMatching(/^#/) },
      },
    })
    expect(await publish(moving, sound)).toMatchObject({
      status: 422,
      body: { error: 'Cannot attach a video to a post that already contains images' },
    })
    const [loop, player] = [await publish(moving), await publish(sound)]
    const htmlOf = async (url: string) => (await fetch(url, { headers: { accept: 'text/html' } })).text()
    expect(await htmlOf(loop.body.url)).toMatch(/<video [^>]*controls autoplay muted loop playsinline/)
    expect(await htmlOf(player.body.url)).toMatch(/<audio [^>]*controls/)
  })

  test('the first version of the endpoint answers when the file is processed', async () => {
    let isAnswered = false
    const answer = upload(clip, { path: '/api/v1/media' }).finally(() => {
      isAnswered = true
    })
    while (!isAnswered) await world.rookery.runJobs()
    expect(await answer).toMatchObject({ status: 200, body: { type: 'video', url: expect.stringMatching(/\.mp4$/) } })
  })

  test('a file that cannot be read is refused at once, and by the first version kept as unknown', async () => {
    const broken = Buffer.concat([clip.subarray(0, 40), Buffer.alloc(500, 7)])
    expect(await upload(broken)).toMatchObject({ status: 422, body: { error: 'Validation failed: File is invalid' } })
    expect(await upload(broken, { path: '/api/v1/media' })).toMatchObject({ status: 200, body: { type: 'unknown' } })
  })

  test('a clip that an edit was to add to pictures is refused, and free for a post of its own', async () => {
    const [id, { body: picture }] = [await processed(clip), await upload(await corners(8, 8).png().toBuffer())]
    const { body: said } = await publish(picture.id)
    const body = { status: 'look', media_ids: [picture.id, id] }
    expect(await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body })).toMatchObject({
      status: 422,
      body: { error: 'Cannot attach a video to a post that already contains images' },
    })
    expect(await publish(id)).toMatchObject({ status: 200, body: { media_attachments: [{ id, type: 'video' }] } })
  })

  test('a file is deleted by its owner alone, and not while a status shows it', async () => {
    const id = await processed(clip)
    const remove = (person: Person) => person.asks('DELETE', `/api/v1/media/${id}`)
    expect((await remove(joel)).status).toBe(404)
    const { body } = await publish(id)
    expect(await remove(mara)).toMatchObject({ status: 422, body: { error: 'Media attachment is currently used by a status' } })
    await mara.asks('DELETE', `/api/v1/statuses/${body.id}`)
    expect(await remove(mara)).toMatchObject({ status: 200, body: {} })
    expect((await remove(mara)).status).toBe(404)
  })
})
