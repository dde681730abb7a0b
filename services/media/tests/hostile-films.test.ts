import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { ProcessingState } from '@rookery/contracts/media'
import { type BucketFault, startBucket } from '@rookery/test-stores'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Storage } from '../src/storage/index.ts'
import { AAC, film, filmTests, H264, hasFilms, inspect, phoneClip, stripes, TOOLS, tone } from './films.ts'
import { call, type Harness, openHarness } from './harness.ts'
import { inBucket } from './in-bucket.ts'

const MINUTE = 60_000

describe.skipIf(!hasFilms)(filmTests('films that mean harm, and faults while they are processed'), () => {
  let harness: Harness
  let clip: Buffer
  /** Called when the storage stores a file. */
  let onPut: (key: string) => Promise<void> | void
  const storage = (inner: Storage): Storage => ({
    ...inner,
    put: async (key, path) => {
      await onPut(key)
      await inner.put(key, path)
    },
  })
  beforeAll(async () => {
    onPut = () => {}
    harness = await openHarness({ motion: TOOLS, storage })
    clip = await phoneClip()
  })
  afterAll(() => harness.close())

  const read = (id: string) => harness.attachments.read(call(), { id, ownerId: '1' })
  const stateOf = async (id: string) => (await read(id)).state
  const upload = async (bytes: Uint8Array) => (await harness.upload(bytes)).attachment!.id
  const job = (name: string) => harness.media.jobs.find((each) => each.name === name)!
  const tryOnce = (id: string) => job('process-motion').run({ mediaId: id, keepUnreadable: false })
  /** The end of an upload: its refusal, or its state after processing. */
  const endOf = async (bytes: Uint8Array): Promise<string | ProcessingState> => {
    const id = await upload(bytes).catch((error) => `${error.kind}: ${error.message}`)
    if (id.includes(':')) return id
    await harness.work()
    return stateOf(id)
  }
  const INVALID = 'invalid: Validation failed: File is invalid'
  const UNSUPPORTED = 'invalid: Validation failed: File content type is invalid, File is invalid'

  /** A second of video with static frames, its index at the front. */
  const indexed = () => film('mp4', ...stripes({ size: '320x240' }), ...H264, '-movflags', '+faststart')
  /** A GIF of frames of one pixel. */
  const points = (count: number) => {
    const frame = Buffer.from('21f90400010000002c000000000100010000020144003b', 'hex').subarray(0, -1)
    const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
    return Buffer.concat([head, ...Array.from({ length: count }, () => frame), Buffer.of(0x3b)])
  }

  it.each<[string, () => Promise<Buffer> | Buffer, string | ProcessingState]>([
    ['a film without its index', async () => clip.subarray(0, clip.length / 2), INVALID],
    ['half a film behind its index', async () => ((made) => made.subarray(0, made.length * 0.6))(await indexed()), ProcessingState.FAILED],
    ['an index of nothing', () => Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\0\x08moov', 'latin1'), INVALID],
    ['noise behind the head of a film', () => Buffer.concat([clip.subarray(0, 32), Buffer.alloc(50_000, 'noise')]), INVALID],
    ['noise behind the head of WebM', () => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(5000, 3)]), INVALID],
    ['a tag with no sound behind it', () => Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0'), Buffer.alloc(500, 'text ')]), INVALID],
    [
      'more frames than may be',
      () => points(36_001),
      'invalid: Validation failed: File is too large: more than 36000 frames are not supported',
    ],
  ])('%s ends as it should, and the next film is processed', async (_, make, end) => {
    expect(await endOf(await make())).toBe(end)
    expect(await harness.uploadsUnderWay()).toEqual([])
  })

  it('more than a hundred tracks are refused', async () => {
    const many = await film('mka', ...tone({ seconds: 1 }), ...Array.from({ length: 120 }, () => ['-map', '0:a']).flat(), '-c:a', 'aac')
    expect(await endOf(many)).toBe(INVALID)
  })

  it.each([
    ['a playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nCANARY\n#EXT-X-ENDLIST\n'],
    ['a playlist for sound', '[playlist]\nFile1=CANARY\n'],
    ['a script of files', "ffconcat version 1.0\nfile 'CANARY'\n"],
    ['a manifest of DASH', '<?xml version="1.0"?><MPD><Period><BaseURL>CANARY</BaseURL></Period></MPD>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><image href="CANARY"/></svg>'],
    ['subtitles', '1\n00:00:00,000 --> 00:00:01,000\n<img src="CANARY">\n'],
    ['styled subtitles', '[Script Info]\nScriptType: v4.00+\n[Events]\nDialogue: CANARY\n'],
    ['a session description', 'v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 CANARY\nm=video 5004 RTP/AVP 96\n'],
    ['a graph of filters', 'movie=CANARY'],
    ['a page', '<!doctype html><video src="CANARY">'],
  ])('%s is refused, by its own bytes and behind those of a film, and leads nowhere', async (_, text) => {
    let asked = 0
    const canary = createServer((socket) => {
      asked++
      socket.on('error', () => {}).destroy()
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(canary.address() as { port: number }).port}/x`
    const bytes = Buffer.from(text.replace('CANARY', address))
    expect(await endOf(bytes)).toBe(UNSUPPORTED)
    expect(await endOf(Buffer.concat([clip.subarray(0, 32), bytes]))).toBe(INVALID)
    await new Promise((resolve) => canary.close(resolve))
    expect(asked).toBe(0)
  })

  it('what stands behind a film is not in what is served, nor are its subtitles and other tracks', async () => {
    const id = await upload(Buffer.concat([clip, Buffer.from('<script>alert(1)</script>'.repeat(50))]))
    await harness.work()
    const { attachment } = await read(id)
    const made = Buffer.from(await (await harness.fetchFile(attachment!.url)).arrayBuffer())
    expect(made.includes('<script>')).toBe(false)
    expect((await inspect(made)).streams).toHaveLength(2)
  })

  it('a recording with a picture too large to decode plays without it', async () => {
    const bomb = await sharp({ create: { width: 12_000, height: 12_000, channels: 3, background: '#123' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    const path = `${harness.folder}/bomb.png`
    await writeFile(path, bomb)
    const args = ['-i', path, '-map', '0', '-map', '1', '-c:a', 'libmp3lame', '-c:v', 'copy', '-disposition:v', 'attached_pic']
    const id = await upload(await film('mp3', ...tone(), ...args))
    await harness.work()
    expect(await read(id)).toMatchObject({ state: ProcessingState.DONE, attachment: { type: 'audio', previewUrl: '' } })
  })

  it('the same film twice at once is two films', async () => {
    const ids = await Promise.all([upload(clip), upload(clip)])
    await harness.work()
    const urls = await Promise.all(ids.map(async (id) => (await read(id)).attachment!.url))
    expect(new Set(urls).size).toBe(2)
  })

  it('a full disk leaves it waiting, with nothing half written, and it is processed when there is room', async () => {
    const id = await upload(clip)
    onPut = () => {
      throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
    }
    for (const _ of ['first', 'second', 'third']) await expect(tryOnce(id)).rejects.toThrow('no space left')
    onPut = () => {}
    expect(await stateOf(id)).toBe(ProcessingState.PENDING)
    expect(await harness.uploadsUnderWay()).toEqual([])
    await tryOnce(id)
    expect(await stateOf(id)).toBe(ProcessingState.DONE)
  })

  it('a store that is away while it is uploaded leaves nothing behind', async () => {
    const files = (await harness.files()).length
    onPut = () => {
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    }
    await expect(upload(clip)).rejects.toThrow()
    onPut = () => {}
    expect(await harness.files()).toHaveLength(files)
    expect(await harness.uploadsUnderWay()).toEqual([])
  })

  it.each<[string, BucketFault[]]>([
    ['refuses to be read', ['pass', 503, 503, 503]],
    ['breaks off while it is read', ['pass', 'break']],
    ['is killed before it is read', ['pass', 'hang up', 'hang up', 'hang up']],
    ['refuses the result', ['pass', 'pass', 503, 503, 503]],
    ['is killed while it takes the result', ['pass', 'pass', 'hang up', 'hang up', 'hang up']],
  ])('a bucket that %s leaves it waiting, with nothing half written, and it is processed once the bucket is back', async (_, faults) => {
    const bucket = await startBucket()
    const other = await openHarness({ motion: TOOLS, storage: () => inBucket(bucket) })
    const id = (await other.upload(clip)).attachment!.id
    const tryIt = () => other.media.jobs.find(({ name }) => name === 'process-motion')!.run({ mediaId: id, keepUnreadable: false })
    const state = async () => (await other.attachments.read(call(), { id, ownerId: '1' })).state
    bucket.fail(...faults)
    await expect(tryIt()).rejects.toThrow()
    expect(await state()).toBe(ProcessingState.PENDING)
    expect(await other.uploadsUnderWay()).toEqual([])
    await tryIt()
    expect(await state()).toBe(ProcessingState.DONE)
    await other.work()
    expect([...bucket.objects.keys()].map((key) => key.split('.').at(-1)).sort()).toEqual(['jpg', 'mp4'])
    await other.close()
    await bucket.stop()
  })

  it('is begun once more after its process was killed, and no third time', async () => {
    const id = await upload(clip)
    // As if its process was killed during the work, twice.
    await harness.database.db.updateTable('attachment').set({ tries: 2 }).where('id', '=', id).execute()
    await harness.work()
    expect(await stateOf(id)).toBe(ProcessingState.FAILED)
    const again = await upload(clip)
    await harness.database.db.updateTable('attachment').set({ tries: 1 }).where('id', '=', again).execute()
    await harness.work()
    expect(await stateOf(again)).toBe(ProcessingState.DONE)
  })

  it('is never processed for longer than its deadline', async () => {
    const id = await upload(clip)
    harness.clock.time += 59 * MINUTE
    await job('end-overdue-motion').run({})
    expect(await stateOf(id)).toBe(ProcessingState.PENDING)
    harness.clock.time += MINUTE
    await job('end-overdue-motion').run({})
    expect(await stateOf(id)).toBe(ProcessingState.FAILED)
    await harness.work()
    expect(await stateOf(id)).toBe(ProcessingState.FAILED)
    expect((await harness.reported()).at(-1)?.event).toMatchObject({
      $case: 'attachmentProcessed',
      value: { mediaId: id, failure: 'late' },
    })
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['its owner deletes it', (id) => harness.attachments.remove(call(), { id, ownerId: '1' })],
    ['its owner is gone', () => harness.hear({ $case: 'accountRemoved', value: { accountId: '1' } as never })],
  ])('leaves nothing when %s while it is processed', async (_, remove) => {
    const id = await upload(clip)
    onPut = async (key) => void (key.endsWith('.mp4') && (await remove(id)))
    await tryOnce(id)
    onPut = () => {}
    await expect(read(id)).rejects.toMatchObject({ kind: 'not_found' })
    await harness.work()
    const kept = await harness.database.db.selectFrom('attachment').select(['originalKey', 'previewKey', 'sourceKey']).execute()
    const named = new Set(kept.flatMap((row) => Object.values(row)))
    expect((await harness.files()).filter((key) => !named.has(key))).toEqual([])
  })

  it('ends at once when the process is asked to stop, to be tried elsewhere', async () => {
    const id = await upload(await film('mkv', ...stripes({ size: '640x480', seconds: 20, rate: 25 }), ...tone(), '-c:v', 'libvpx', ...AAC))
    const stop = AbortSignal.abort()
    await expect(job('process-motion').run({ mediaId: id, keepUnreadable: false }, stop)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await stateOf(id)).toBe(ProcessingState.PENDING)
    expect(await harness.uploadsUnderWay()).toEqual([])
    await harness.attachments.remove(call(), { id, ownerId: '1' })
  })
})
