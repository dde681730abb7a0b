import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A picture with different corners, to detect rotation and cropping: red, green, blue and white, clockwise from the top left. */
export const corners = (width: number, height: number): Sharp => {
  const half = { width: Math.ceil(width / 2), height: Math.ceil(height / 2), channels: 3 as const }
  const piece = (background: string) => ({ create: { ...half, background } })
  const laid = sharp({ create: { width, height, channels: 3, background: '#fff' } }).composite([
    { input: piece('#f00'), top: 0, left: 0 },
    { input: piece('#0f0'), top: 0, left: width - half.width },
    { input: piece('#00f'), top: height - half.height, left: width - half.width },
    { input: piece('#fff'), top: height - half.height, left: 0 },
  ])
  return laid.removeAlpha()
}

/** A translucent picture. */
export const glass = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } })

/** The colour at a position, from 0 to 1 each way, as hexadecimal digits rounded to 0 or f. */
export const colourAt = async (picture: Uint8Array, x: number, y: number): Promise<string> => {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels
  return [...data.subarray(at, at + 3)].map((value) => (value > 127 ? 'f' : '0')).join('')
}

/** Noise, which no format compresses. */
export const noise = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })

/** An animation of this many frames, each shown for some milliseconds. */
export const animation = async (
  width: number,
  height: number,
  frames: number,
  delays = Array<number>(frames).fill(100),
): Promise<Buffer> => {
  const data = Buffer.alloc(width * height * frames * 3)
  for (let frame = 0; frame < frames; frame++) data.fill(frame * 20, frame * width * height * 3, (frame + 1) * width * height * 3)
  return sharp(data, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ delay: delays })
    .toBuffer()
}

/** The PNG signature. */
export const PNG_SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A chunk of a PNG (PNG, 5.3). */
export const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A PNG of a few bytes that claims an arbitrary size. */
export const claimedPng = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const pixels = pngChunk('IDAT', deflateSync(Buffer.alloc(1000)))
  return Buffer.concat([PNG_SIGNATURE, pngChunk('IHDR', header), pixels, pngChunk('IEND', Buffer.alloc(0))])
}
