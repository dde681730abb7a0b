import { expect, test } from 'vitest'
import { pictureFaults, pictureIn } from './picture.rules.ts'

/** The header of a PNG of a given size. */
const png = (width: number, height: number, more = 0) => {
  const bytes = Buffer.alloc(33 + more)
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').copy(bytes)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const jpeg = (width: number, height: number) => {
  const bytes = Buffer.alloc(64)
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 17, 8]).copy(bytes)
  bytes.writeUInt16BE(height, 13)
  bytes.writeUInt16BE(width, 15)
  return bytes
}

const webp = (form: string, fill: (bytes: Buffer) => void) => {
  const bytes = Buffer.alloc(40)
  bytes.write('RIFF', 0, 'latin1')
  bytes.write(`WEBP${form}`, 8, 'latin1')
  fill(bytes)
  return bytes
}

test.each([
  ['a PNG', png(1200, 630), { contentType: 'image/png', width: 1200, height: 630 }],
  ['a JPEG with markers before its frame', jpeg(640, 480), { contentType: 'image/jpeg', width: 640, height: 480 }],
  [
    'an extended WebP',
    webp('VP8X', (bytes) => {
      bytes.writeUIntLE(799, 24, 3)
      bytes.writeUIntLE(599, 27, 3)
    }),
    { contentType: 'image/webp', width: 800, height: 600 },
  ],
  [
    'a lossless WebP',
    webp('VP8L', (bytes) => bytes.writeUInt32LE(63 | (31 << 14), 21)),
    { contentType: 'image/webp', width: 64, height: 32 },
  ],
  [
    'a lossy WebP',
    webp('VP8 ', (bytes) => {
      bytes.writeUInt16LE(300, 26)
      bytes.writeUInt16LE(200, 28)
    }),
    { contentType: 'image/webp', width: 300, height: 200 },
  ],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), undefined],
  ['a JPEG that ends early', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff]), Buffer.alloc(40)]), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('%s is known by its first bytes', (_, bytes, found) => expect(pictureIn(bytes)).toEqual(found))

test.each([
  ['thumbnail', png(1200, 630), []],
  ['thumbnail', Buffer.from('x'.repeat(50)), ['Picture is no PNG, JPEG or WebP']],
  ['thumbnail', png(10, 10, 1024 * 1024), ['Picture is too large (maximum is 1 MB)']],
  ['thumbnail', png(5000, 10), ['Picture is too large (maximum is 4096 pixels)']],
  ['icon', png(512, 512), []],
  ['icon', png(32, 31), ['Icon must be square', 'Icon is too small (minimum is 64 pixels)']],
] as const)('as %s %o has the faults %j', (kind, bytes, faults) => expect(pictureFaults(kind, bytes)).toEqual(faults))
