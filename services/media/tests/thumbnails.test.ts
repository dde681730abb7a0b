import { UploadPurpose } from '@rookery/contracts/media'
import { startBucket, type TestBucket } from '@rookery/test-stores'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Storage } from '../src/storage/index.ts'
import { call, type Harness, openHarness } from './harness.ts'
import { inBucket } from './in-bucket.ts'
import { animation, colourAt, corners, noise } from './pictures.ts'

// Previews chosen by owners (spec, Media).

const HOUR = 3_600_000
const keyOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

describe.each([['on disk'], ['in a bucket']])('a thumbnail, kept %s,', (place) => {
  let store: TestBucket
  let harness: Harness
  let storage: Storage
  /** Called instead of storing the next files. */
  let instead: (() => never) | undefined
  beforeAll(async () => {
    store = await startBucket()
  })
  afterAll(() => store.stop())
  beforeEach(async () => {
    instead = undefined
    harness = await openHarness({
      storage: (disk) => {
        storage = place === 'on disk' ? disk : inBucket(store)
        return { ...storage, put: async (key, path) => instead?.() ?? storage.put(key, path) }
      },
    })
    return async () => {
      for (const key of await kept()) await storage.remove(key)
      await harness.close()
    }
  })

  const kept = () => storage.keysAfter('', 1000)
  const uploaded = async (header = {}) =>
    (await harness.upload(await corners(80, 80).png().toBuffer(), { ownerId: '1', ...header })).attachment!
  const thumbnail = async (bytes: Promise<Buffer> | Buffer = corners(20, 20).jpeg().toBuffer(), header = {}) =>
    (await harness.upload(await bytes, { ownerId: '1', purpose: UploadPurpose.THUMBNAIL, ...header })).attachment!.id
  const update = async (change: { id: string; thumbnailId: string; ownerId?: string }) =>
    (await harness.attachments.update(call(), { ownerId: '1', ...change })).attachment!
  const rows = async () => (await harness.database.db.selectFrom('attachment').select('id').execute()).length
  const files = (...attachments: { url: string; previewUrl: string }[]) =>
    attachments.flatMap(({ url, previewUrl }) => [keyOf(url), keyOf(previewUrl)]).sort()

  it('takes the place of a preview, whose file goes', async () => {
    const before = await uploaded({ description: 'A pot' })
    const { previewUrl, blurhash, small, ...rest } = await update({ id: before.id, thumbnailId: await thumbnail() })
    expect(rest).toEqual({
      id: before.id,
      type: 'image',
      url: before.url,
      description: 'A pot',
      focus: undefined,
      original: before.original,
      bytes: before.bytes,
    })
    expect([small, blurhash === before.blurhash, previewUrl.endsWith('.jpg')]).toEqual([{ width: 20, height: 20 }, false, true])
    await harness.after(0)
    expect([await kept(), await rows()]).toEqual([files({ url: before.url, previewUrl }), 1])
  })

  it('is the preview of what is uploaded with it, which has no other', async () => {
    const attachment = await uploaded({ thumbnailId: await thumbnail() })
    expect([attachment.original, attachment.small]).toEqual([
      { width: 80, height: 80 },
      { width: 20, height: 20 },
    ])
    expect([await kept(), await rows()]).toEqual([files(attachment), 1])
  })

  it('goes with its attachment', async () => {
    const { id } = await uploaded()
    await update({ id, thumbnailId: await thumbnail() })
    await harness.after(24 * HOUR)
    expect([await kept(), await rows()]).toEqual([[], 0])
  })

  it('that nothing took is gone after an hour, and what it was for stays', async () => {
    const attachment = await uploaded()
    const thumbnailId = await thumbnail()
    await harness.after(HOUR)
    await expect(update({ id: attachment.id, thumbnailId })).rejects.toMatchObject({ message: 'Validation failed: Thumbnail is invalid' })
    expect([await kept(), await rows()]).toEqual([files(attachment), 1])
  })

  it('is taken once, by its owner, and is nothing but a thumbnail', async () => {
    const [one, other] = [await uploaded(), await uploaded()]
    const foreign = (await uploaded({ ownerId: '2' })).id
    const thumbnailId = await thumbnail()
    const refused = { kind: 'invalid', message: 'Validation failed: Thumbnail is invalid' }
    await expect(update({ id: foreign, thumbnailId, ownerId: '2' })).rejects.toMatchObject(refused)
    await expect(update({ id: one.id, thumbnailId: other.id })).rejects.toMatchObject(refused)
    await expect(update({ id: one.id, thumbnailId: 'abc' })).rejects.toMatchObject(refused)
    await expect(update({ id: foreign, thumbnailId })).rejects.toMatchObject({ kind: 'not_found' })
    const outcomes = await Promise.allSettled([one.id, other.id].map((id) => update({ id, thumbnailId })))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await harness.after(0)
    const left = await Promise.all([one.id, other.id].map((id) => harness.attachments.read(call(), { id, ownerId: '1' })))
    const theirs = (await harness.attachments.read(call(), { id: foreign, ownerId: '2' })).attachment!
    expect(await kept()).toEqual(files(...left.map(({ attachment }) => attachment!), theirs))
  })

  it('that cannot be stored leaves nothing', async () => {
    const attachment = await uploaded()
    instead = () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    await expect(thumbnail()).rejects.toThrow()
    expect([await kept(), await rows()]).toEqual([files(attachment), 1])
  })

  it('goes with what it came with when that cannot be stored', async () => {
    const thumbnailId = await thumbnail()
    instead = () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    await expect(uploaded({ thumbnailId })).rejects.toThrow()
    expect([await kept(), await rows()]).toEqual([[], 0])
  })
})

describe('the picture of a thumbnail', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await openHarness()
  })
  afterAll(() => harness.close())

  const made = async (picture: Buffer) => {
    const { attachment } = await harness.upload(picture, { ownerId: '1', purpose: UploadPurpose.THUMBNAIL })
    const bytes = Buffer.from(await (await harness.fetchFile(attachment!.url)).arrayBuffer())
    return { bytes, ...(await sharp(bytes).metadata()) }
  }
  const refusal = (bytes: Buffer, thumbnailOf?: string) =>
    harness.upload(bytes, { ownerId: '1', purpose: UploadPurpose.THUMBNAIL, thumbnailOf }).then(
      () => undefined,
      ({ kind, message }) => ({ kind, message }),
    )

  it('has the size of a preview and keeps its shape', async () => {
    expect(await made(await noise(1600, 900).jpeg().toBuffer())).toMatchObject({ format: 'jpeg', width: 640, height: 360 })
    expect(await made(await corners(90, 30).webp().toBuffer())).toMatchObject({ format: 'webp', width: 90, height: 30 })
  })

  it('is turned upright and says nothing of where it was taken', async () => {
    const exif = { IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
    const { bytes, width, height } = await made(await corners(80, 40).jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer())
    expect([width, height, await colourAt(bytes, 0.9, 0.1), bytes.includes('SecretCamera')]).toEqual([40, 80, 'f00', false])
  })

  it('does not move', async () => {
    const { format, pages = 1 } = await made(await animation(40, 40, 5))
    expect([format, pages]).toEqual(['png', 1])
  })

  it('is refused outside the limits of uploads, and as the API says when it cannot be read', async () => {
    const { id } = (await harness.upload(await corners(8, 8).png().toBuffer(), { ownerId: '1' })).attachment!
    const broken = Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1')
    expect(await refusal(broken)).toEqual({ kind: 'broken', message: 'Error processing thumbnail for uploaded media' })
    expect(await refusal(broken, id)).toEqual({ kind: 'invalid', message: 'Validation failed: File is invalid' })
    expect(await refusal(broken, '999')).toEqual({ kind: 'not_found', message: 'Record not found' })
    expect(await refusal(Buffer.alloc(16_777_217))).toEqual({ kind: 'invalid', message: 'Validation failed: File must be less than 16 MB' })
    expect(await harness.uploadsUnderWay()).toEqual([])
  })
})
