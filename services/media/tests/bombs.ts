import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createDeflate, deflateSync } from 'node:zlib'
import { animation, corners, PNG_SIGNATURE, pngChunk } from './pictures.ts'

/** Decompression bombs: small files that cost a decoder much more. */

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

const MEGABYTE = Buffer.alloc(1024 * 1024)

/** This many zeros, deflated without being held in memory. */
const deflatedZeros = async (size: number): Promise<Buffer> => {
  const deflate = createDeflate({ level: 9 })
  const parts: Buffer[] = []
  deflate.on('data', (part: Buffer) => parts.push(part))
  for (let left = size; left > 0; left -= MEGABYTE.length) {
    if (!deflate.write(MEGABYTE.subarray(0, left))) await once(deflate, 'drain')
  }
  deflate.end()
  await once(deflate, 'end')
  return Buffer.concat(parts)
}

/** Column, row, and the steps of each, of the seven passes of Adam7. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const CHANNELS = { grey: { type: 0, count: 1 }, rgba: { type: 6, count: 4 } }

type Png = { width: number; height: number; depth: number; colour: keyof typeof CHANNELS; isInterlaced?: boolean }

/** A black PNG. */
const png = async ({ width, height, depth, colour, isInterlaced = false }: Png): Promise<Buffer> => {
  const { type, count } = CHANNELS[colour]
  const bytesOf = (columns: number, rows: number) => (columns > 0 ? (Math.ceil((columns * depth * count) / 8) + 1) * rows : 0)
  const size = isInterlaced
    ? PASSES.reduce((sum, [x, y, dx, dy]) => sum + bytesOf(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)), 0)
    : bytesOf(width, height)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, type, 0, 0, isInterlaced ? 1 : 0], 8)
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', await deflatedZeros(size)), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([PNG_SIGNATURE, ...chunks])
}

/** A GIF that claims an arbitrary size. */
const claimedGif = async (width: number, height: number): Promise<Buffer> => {
  const gif = await animation(8, 8, 2)
  // The canvas, and the first frame after its comma.
  for (const at of [6, gif.indexOf(Buffer.from('2c00000000', 'hex')) + 5]) {
    gif.writeUInt16LE(width, at)
    gif.writeUInt16LE(height, at + 2)
  }
  return gif
}

/** A GIF of this many frames of one pixel (GIF89a, 17 to 23). */
const longGif = (frames: number): Buffer => {
  const head = Buffer.from(`${Buffer.from('GIF89a').toString('hex')}01000100800000000000ffffff`, 'hex')
  const frame = Buffer.from('21f9040001000000' + '2c00000000010001000002024401' + '00', 'hex')
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.of(0x3b)])
}

/** A baseline JPEG of a few pixels that claims an arbitrary size. */
const claimedJpeg = async (width: number, height: number): Promise<Buffer> => {
  const jpeg = await corners(8, 8).jpeg().toBuffer()
  const frame = jpeg.indexOf(Buffer.of(0xff, 0xc0))
  jpeg.writeUInt16BE(height, frame + 5)
  jpeg.writeUInt16BE(width, frame + 7)
  return jpeg
}

const riffChunk = (name: string, data: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** An animated WebP that claims an arbitrary canvas size (RFC 9649, 2.7). */
const claimedWebp = (width: number, height: number): Buffer => {
  const canvas = Buffer.alloc(10)
  canvas[0] = 0b10
  canvas.writeUIntLE(width - 1, 4, 3)
  canvas.writeUIntLE(height - 1, 7, 3)
  const frame = Buffer.alloc(16)
  frame.writeUIntLE(5760 - 1, 6, 3)
  frame.writeUIntLE(5760 - 1, 9, 3)
  const pixels = fixture('33-megapixels.webp').subarray(12)
  const chunks = [riffChunk('VP8X', canvas), riffChunk('ANIM', Buffer.alloc(6)), riffChunk('ANMF', Buffer.concat([frame, pixels]))]
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
}

/** TIFF and SVG are refused, whatever their size. */
const tiff = () => Buffer.concat([Buffer.from('49492a0008000000', 'hex'), deflateSync(MEGABYTE)])
const svg = () =>
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><rect width="100%" height="100%"/></svg>')

/** A bomb, and the error of its upload; undefined for one that is within the limits and accepted. */
type Bomb = { name: string; make(): Promise<Buffer> | Buffer; type: string; refusal?: string }

const tooLarge = (what: string) => `Validation failed: File is too large: ${what}`
const TOO_MUCH_MEMORY = tooLarge('it takes too much memory to process')
const UNSUPPORTED = 'Validation failed: File content type is invalid, File is invalid'

export const BOMBS: readonly Bomb[] = [
  {
    name: 'a 1-bit PNG of one row',
    type: 'image/png',
    make: () => png({ width: 33_177_600, height: 1, depth: 1, colour: 'grey' }),
    refusal: tooLarge('33177600x1 images are not supported'),
  },
  {
    name: 'a 16-bit PNG of one row',
    type: 'image/png',
    make: () => png({ width: 33_177_600, height: 1, depth: 16, colour: 'rgba' }),
    refusal: tooLarge('33177600x1 images are not supported'),
  },
  {
    name: 'a 1-bit PNG of one column',
    type: 'image/png',
    make: () => png({ width: 1, height: 33_177_600, depth: 1, colour: 'grey' }),
    refusal: tooLarge('1x33177600 images are not supported'),
  },
  {
    name: 'a wide 16-bit interlaced PNG',
    type: 'image/png',
    make: () => png({ width: 16_384, height: 2025, depth: 16, colour: 'rgba', isInterlaced: true }),
    refusal: TOO_MUCH_MEMORY,
  },
  {
    name: 'a wide GIF',
    type: 'image/gif',
    make: () => claimedGif(65_535, 506),
    refusal: tooLarge('65535x506 images are not supported'),
  },
  {
    name: 'a GIF of 30,000 frames',
    type: 'image/gif',
    make: () => longGif(30_000),
    refusal: tooLarge('30000 frames of 1x1 are not supported'),
  },
  {
    name: 'a wide JPEG',
    type: 'image/jpeg',
    make: () => claimedJpeg(65_500, 506),
    refusal: tooLarge('65500x506 images are not supported'),
  },
  {
    name: 'a WebP with a large canvas',
    type: 'image/webp',
    make: () => claimedWebp(16_383, 16_383),
    refusal: tooLarge('16383x16383 images are not supported'),
  },
  {
    name: 'a 12-bit AVIF of 33 million pixels in 1,276 bytes',
    type: 'image/avif',
    make: () => fixture('33-megapixels-12-bit.avif'),
    refusal: TOO_MUCH_MEMORY,
  },
  { name: 'a TIFF', type: 'image/tiff', make: tiff, refusal: UNSUPPORTED },
  { name: 'an SVG', type: 'image/svg+xml', make: svg, refusal: UNSUPPORTED },
  {
    name: 'a 1-bit PNG of 33 million pixels',
    type: 'image/png',
    make: () => png({ width: 5760, height: 5760, depth: 1, colour: 'grey' }),
  },
  { name: 'a WebP of 33 million pixels in 38 bytes', type: 'image/webp', make: () => fixture('33-megapixels.webp') },
]

/** A picture that takes half a second of a processor: 33 million pixels of 32 bits. */
export const slowPicture = (): Promise<Buffer> => png({ width: 5760, height: 5760, depth: 8, colour: 'rgba' })

/** A picture that is held as a whole while it is decoded: 133 MB of pixels. */
export const interlacedPicture = (): Promise<Buffer> => png({ width: 5760, height: 5760, depth: 8, colour: 'rgba', isInterlaced: true })
