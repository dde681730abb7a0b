import { ProcessingState, UploadPurpose } from '@rookery/contracts/media'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './harness.ts'
import { animation, claimedPng, colourAt, corners, glass, noise } from './pictures.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())

const bytesOf = async (url: string) => Buffer.from(await (await harness.fetchFile(url)).arrayBuffer())
const uploaded = async (bytes: Uint8Array, header = {}) => (await harness.upload(bytes, header)).attachment!

const refusal = (bytes: Uint8Array, header = {}) =>
  harness.upload(bytes, header).then(
    () => undefined,
    (error) => ({ kind: error.kind, message: error.message }),
  )
const invalid = (message: string) => ({ kind: 'invalid', message: `Validation failed: ${message}` })
const UNSUPPORTED = invalid('File content type is invalid, File is invalid')
const UNREADABLE = invalid('File is invalid')

describe('an uploaded picture', () => {
  it('is kept in two sizes with a blurhash', async () => {
    const answer = await harness.upload(await noise(1600, 900).jpeg().toBuffer(), {
      contentType: 'image/jpeg',
      fileName: '../../etc/passwd.exe',
      description: 'A tea pot',
      focus: { x: -0.5, y: 1 },
    })
    expect(answer.state).toBe(ProcessingState.DONE)
    expect(answer.attachment).toEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 'image',
      url: expect.stringMatching(/^https:\/\/rookery\.example\/media\/[0-9a-f]{32}\.jpg$/),
      previewUrl: expect.stringMatching(/^https:\/\/rookery\.example\/media\/[0-9a-f]{32}\.jpg$/),
      description: 'A tea pot',
      blurhash: expect.stringMatching(/^U[\w#$%*+,\-.:;=?@[\]^{|}~]{35}$/),
      focus: { x: -0.5, y: 1 },
      original: { width: 1600, height: 900 },
      small: { width: 640, height: 360 },
      bytes: expect.any(Number),
    })
    expect(answer.attachment?.bytes).toBe((await bytesOf(answer.attachment!.url)).length)
    expect(await sharp(await bytesOf(answer.attachment!.url)).metadata()).toMatchObject({ format: 'jpeg', width: 1600, height: 900 })
    expect(await sharp(await bytesOf(answer.attachment!.previewUrl)).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 360 })
  })

  it('is turned upright', async () => {
    const bytes = await corners(80, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const { url, previewUrl, original } = await uploaded(bytes)
    expect(original).toEqual({ width: 40, height: 80 })
    // Rotated clockwise by a quarter turn, the lower left corner is at the upper left.
    for (const picture of [await bytesOf(url), await bytesOf(previewUrl)]) {
      expect([await colourAt(picture, 0.1, 0.1), await colourAt(picture, 0.9, 0.1), await colourAt(picture, 0.9, 0.9)]).toEqual([
        'fff',
        'f00',
        '0f0',
      ])
    }
  })

  it('says nothing of where and with what it was taken', async () => {
    const exif = { IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
    const bytes = await corners(40, 40)
      .jpeg()
      .withExif(exif)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SecretPlace</x:xmpmeta>')
      .toBuffer()
    expect(bytes.includes('SecretCamera') && bytes.includes('SecretPlace')).toBe(true)
    const { url, previewUrl } = await uploaded(Buffer.concat([bytes, Buffer.from('SecretTail')]))
    for (const picture of [await bytesOf(url), await bytesOf(previewUrl)]) {
      expect(picture.includes('Secret')).toBe(false)
      const metadata = await sharp(picture).metadata()
      expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.comments, metadata.orientation]).toEqual(Array(5).fill(undefined))
    }
  })

  it('keeps its colours when its profile is taken away', async () => {
    const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#f00' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const { url } = await uploaded(bytes)
    const [red = 0, green = 0, blue = 0] = await sharp(await bytesOf(url))
      .raw()
      .toBuffer()
    expect(red).toBeGreaterThan(250)
    expect(green + blue).toBeLessThan(12)
  })

  it.each([
    ['jpeg', () => corners(30, 20).jpeg(), 'jpg'],
    ['png', () => corners(30, 20).png(), 'png'],
    ['webp', () => corners(30, 20).webp(), 'webp'],
    ['gif', () => corners(30, 20).gif(), 'png'],
    ['avif', () => corners(30, 20).avif(), 'jpg'],
    ['avif with transparency', () => glass(30, 20).avif(), 'png'],
  ])('is read from %s', async (_, make, extension) => {
    const attachment = await uploaded(await make().toBuffer())
    expect(attachment).toMatchObject({ type: 'image', original: { width: 30, height: 20 }, small: { width: 30, height: 20 } })
    expect(attachment.url).toMatch(new RegExp(`\\.${extension}$`))
    expect(await colourAt(await bytesOf(attachment.url), 0.1, 0.1)).toBe('f00')
  })

  it('keeps its transparency', async () => {
    const { url, previewUrl } = await uploaded(await glass(30, 20).png().toBuffer())
    for (const each of [url, previewUrl]) expect(await sharp(await bytesOf(each)).metadata()).toMatchObject({ hasAlpha: true })
  })

  it('keeps moving when it is an animation, beside a still preview', async () => {
    const { type, url, previewUrl } = await uploaded(await animation(40, 30, 4))
    expect(type).toBe('image')
    expect(await sharp(await bytesOf(url)).metadata()).toMatchObject({ format: 'gif', width: 40, height: 30, pages: 4 })
    expect(await sharp(await bytesOf(previewUrl)).metadata()).toMatchObject({ format: 'png', width: 40, height: 30 })
  })

  it('is made smaller when it is larger than a large screen', async () => {
    const { original, small } = await uploaded(await corners(6000, 3000).png().toBuffer())
    expect(original).toEqual({ width: 4073, height: 2036 })
    expect(small).toEqual({ width: 679, height: 339 })
  })

  it('has two addresses that no one can guess', async () => {
    const bytes = await corners(8, 8).png().toBuffer()
    const both = [await uploaded(bytes), await uploaded(bytes)]
    expect(new Set(both.flatMap(({ url, previewUrl }) => [url, previewUrl])).size).toBe(4)
  })
})

describe('a profile picture', () => {
  it('is cropped to a square for an avatar', async () => {
    const { url, previewUrl, original, small } = await uploaded(await corners(900, 300).png().toBuffer(), { purpose: UploadPurpose.AVATAR })
    expect([original, small, previewUrl]).toEqual([{ width: 400, height: 400 }, undefined, url])
    expect(await sharp(await bytesOf(url)).metadata()).toMatchObject({ width: 400, height: 400 })
  })

  it('is fitted for a header', async () => {
    const { original } = await uploaded(await corners(3000, 2000).png().toBuffer(), { purpose: UploadPurpose.HEADER })
    expect(original).toEqual({ width: 750, height: 500 })
    expect((await uploaded(await corners(300, 90).png().toBuffer(), { purpose: UploadPurpose.HEADER })).original).toEqual({
      width: 300,
      height: 90,
    })
  })

  it.each([
    ['GIF', () => animation(50, 80, 3)],
    [
      'WebP',
      async () =>
        sharp(await animation(50, 80, 3), { animated: true })
          .webp()
          .toBuffer(),
    ],
  ])('has a still variant when it moves: %s', async (_, make) => {
    const { url, previewUrl } = await uploaded(await make(), { purpose: UploadPurpose.AVATAR })
    expect(await sharp(await bytesOf(url)).metadata()).toMatchObject({ format: 'gif', width: 400, height: 400, pages: 3 })
    expect(await sharp(await bytesOf(previewUrl)).metadata()).toMatchObject({ format: 'png', width: 400, height: 400 })
  })

  it('is refused as AVIF and above 8 MB', async () => {
    expect(await refusal(await corners(20, 20).avif().toBuffer(), { purpose: UploadPurpose.AVATAR })).toEqual(UNSUPPORTED)
    expect(await refusal(Buffer.alloc(8_388_609), { purpose: UploadPurpose.HEADER })).toEqual(invalid('File must be less than 8 MB'))
  })
})

describe('an emoji', () => {
  const purpose = UploadPurpose.EMOJI

  it('is fitted into 256 × 256 and has a still variant when it moves', async () => {
    const { url, previewUrl, original } = await uploaded(await animation(50, 80, 3), { purpose })
    expect(original).toEqual({ width: 50, height: 80 })
    expect(await sharp(await bytesOf(url)).metadata()).toMatchObject({ format: 'gif', pages: 3 })
    expect(await sharp(await bytesOf(previewUrl)).metadata()).toMatchObject({ format: 'png', width: 50, height: 80 })
    expect((await uploaded(await corners(512, 300).png().toBuffer(), { purpose })).original).toEqual({ width: 256, height: 150 })
  })

  it('is refused as JPEG or AVIF and above 256 KB', async () => {
    expect(await refusal(await corners(20, 20).jpeg().toBuffer(), { purpose })).toEqual(UNSUPPORTED)
    expect(await refusal(await corners(20, 20).avif().toBuffer(), { purpose })).toEqual(UNSUPPORTED)
    expect(await refusal(Buffer.alloc(262_145), { purpose })).toEqual(invalid('File must be less than 256 KB'))
  })
})

describe('an upload is refused', () => {
  const picture = () => corners(8, 8).png().toBuffer()

  it.each([
    ['text by the name of a picture', Buffer.from('hello world\n'.repeat(20)), UNSUPPORTED],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'), UNSUPPORTED],
    ['video', Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), UNSUPPORTED],
    ['sound', Buffer.from('ID3\x04\0\0'), UNSUPPORTED],
    ['a single byte', Buffer.of(0xff), UNSUPPORTED],
    ['nothing', Buffer.alloc(0), invalid("File can't be blank")],
    ['the beginning of a picture', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), UNREADABLE],
    [
      'a small file that unpacks to 900 million pixels',
      claimedPng(30_000, 30_000),
      invalid('File is too large: 30000x30000 images are not supported'),
    ],
    ['more bytes than may', Buffer.alloc(17_000_000), invalid('File must be less than 16 MB')],
  ])('for %s', async (_, bytes, expected) => {
    expect(await refusal(bytes, { contentType: 'image/png', fileName: 'picture.png' })).toEqual(expected)
  })

  it('for half a picture', async () => {
    const whole = await noise(400, 400).jpeg().toBuffer()
    expect(await refusal(whole.subarray(0, whole.length / 2))).toEqual(UNREADABLE)
  })

  it('for a large or endless animation', async () => {
    expect(await refusal(await animation(1281, 720, 2))).toEqual(invalid('File is too large: 1281x720 GIF files are not supported'))
    expect(await refusal(await animation(900, 900, 41))).toEqual(invalid('File is too large: 41 frames of 900x900 are not supported'))
  })

  it('for a long description or a focus outside the picture, before it is received', async () => {
    expect(await refusal(await picture(), { description: 'é'.repeat(1501) })).toEqual(
      invalid('Description is too long (maximum is 1500 characters)'),
    )
    expect(await refusal(await picture(), { focus: { x: 0, y: 1.01 } })).toEqual(invalid('Focus must be between -1.0 and 1.0'))
    expect(await refusal(await picture(), { focus: { x: Number.NaN, y: 0 } })).toEqual(invalid('Focus must be between -1.0 and 1.0'))
    expect((await uploaded(await picture(), { description: '👨‍👩‍👧'.repeat(1500) })).type).toBe('image')
  })

  it('and leaves nothing behind', async () => {
    const count = async () =>
      Number(
        (
          await harness.database.db
            .selectFrom('attachment')
            .select((sql) => sql.fn.countAll().as('count'))
            .executeTakeFirst()
        )?.count,
      )
    const before = [await count(), (await harness.files()).length]
    await refusal(Buffer.alloc(17_000_000))
    await refusal(Buffer.from('hello'))
    expect([await count(), (await harness.files()).length]).toEqual(before)
    expect(await harness.uploadsUnderWay()).toEqual([])
  })
})

describe('a picture that cannot be read', () => {
  const broken = Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1')

  it('is kept as of unknown type where that is asked for', async () => {
    const { attachment, state } = await harness.upload(broken, { keepUnreadable: true, description: 'A pot' })
    expect(state).toBe(ProcessingState.DONE)
    expect(attachment).toMatchObject({ type: 'unknown', description: 'A pot', blurhash: '', original: undefined, small: undefined })
    expect(attachment!.url).toBe('https://rookery.example/media/missing.png')
    expect(attachment!.previewUrl).toBe(attachment!.url)
    const placeholder = await harness.fetchFile(attachment!.url)
    expect([placeholder.status, placeholder.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  it('is refused even then when it is too large or no picture at all', async () => {
    expect(await refusal(claimedPng(30_000, 30_000), { keepUnreadable: true })).toMatchObject({ kind: 'invalid' })
    expect(await refusal(Buffer.from('hello'), { keepUnreadable: true })).toEqual(UNSUPPORTED)
  })
})
