import { type FileHandle, open } from 'node:fs/promises'

/** The type of a file by its first bytes. Video and audio are read by the named ffmpeg demuxer only. */
export type FoundType = { contentType: string; demuxer?: Demuxer }

/** The allowed demuxers (ffmpeg -demuxers). None of them follows references to other files or URLs. */
export type Demuxer = 'mov' | 'matroska' | 'ogg' | 'mp3' | 'aac' | 'flac' | 'wav' | 'aiff' | 'asf' | 'gif' | 'apng' | 'webp'

/** HEIF pictures in HEVC, as phones take them: ffmpeg reads them, the image library does not. */
export const HEIC = 'image/heic'

/** Bytes that are inspected: enough for the list of brands of an AVIF, and for the chunks before a PNG's first pixels. */
const LOOKED_AT = 4096

const ASF = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
const PNG = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const EBML = Buffer.of(0x1a, 0x45, 0xdf, 0xa3)

const startsWith = (head: Buffer, bytes: Buffer) => head.subarray(0, bytes.length).equals(bytes)
const textAt = (head: Buffer, start: number, length = 4) => head.toString('latin1', start, start + length)

/** The brands of an ISO base media file (ISO/IEC 14496-12, 4.3), the major one first. */
const brandsOf = (head: Buffer): string => head.toString('latin1', 8, Math.min(head.length, 64, head.readUInt32BE(0)))

const isoType = (head: Buffer): FoundType => {
  const brands = brandsOf(head)
  if (/avi[fs]/.test(brands)) return { contentType: 'image/avif' }
  if (/^(hei[cxms]|hev[cxms]|mif1|msf1)/.test(brands)) return { contentType: HEIC, demuxer: 'mov' }
  if (brands.startsWith('M4A')) return { contentType: 'audio/mp4', demuxer: 'mov' }
  if (brands.startsWith('qt')) return { contentType: 'video/quicktime', demuxer: 'mov' }
  return { contentType: brands.startsWith('3g') ? 'video/3gpp' : 'video/mp4', demuxer: 'mov' }
}

/** A PNG with an animation control chunk before its pixels is animated (PNG, 11.3.6). */
const pngType = (head: Buffer): FoundType => {
  const [control, pixels] = [head.indexOf('acTL', 8, 'latin1'), head.indexOf('IDAT', 8, 'latin1')]
  return { contentType: 'image/png', ...(control > 0 && (pixels < 0 || control < pixels) ? { demuxer: 'apng' as const } : {}) }
}

/** The animation flag of an extended WebP (RFC 9649, 2.7). */
const webpType = (head: Buffer): FoundType => ({
  contentType: 'image/webp',
  ...(textAt(head, 12) === 'VP8X' && ((head[20] ?? 0) & 2) !== 0 ? { demuxer: 'webp' as const } : {}),
})

/** The first two bytes of an MPEG audio frame contain its layer: 0 for AAC (ISO/IEC 13818-7). */
const isFrame = (head: Buffer) => head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0
const frameType = (head: Buffer): FoundType =>
  ((head[1] ?? 0) & 0xf6) === 0xf0 ? { contentType: 'audio/aac', demuxer: 'aac' } : { contentType: 'audio/mpeg', demuxer: 'mp3' }

const MARKS: [isMarked: (head: Buffer) => boolean, found: (head: Buffer) => FoundType][] = [
  [(head) => startsWith(head, Buffer.of(0xff, 0xd8, 0xff)), () => ({ contentType: 'image/jpeg' })],
  [(head) => startsWith(head, PNG), pngType],
  [(head) => /^GIF8[79]a/.test(textAt(head, 0, 6)), () => ({ contentType: 'image/gif', demuxer: 'gif' })],
  [(head) => /^RIFF....WEBP/s.test(textAt(head, 0, 12)), webpType],
  [(head) => textAt(head, 4) === 'ftyp' && head.length >= 16, isoType],
  [(head) => /^(moov|mdat|wide|free|skip|pnot)$/.test(textAt(head, 4)), () => ({ contentType: 'video/quicktime', demuxer: 'mov' })],
  [
    (head) => startsWith(head, EBML),
    (head) => ({ contentType: head.includes('webm') ? 'video/webm' : 'video/x-matroska', demuxer: 'matroska' }),
  ],
  [(head) => textAt(head, 0) === 'OggS', () => ({ contentType: 'audio/ogg', demuxer: 'ogg' })],
  [(head) => textAt(head, 0) === 'fLaC', () => ({ contentType: 'audio/flac', demuxer: 'flac' })],
  [(head) => /^RIFF....WAVE/s.test(textAt(head, 0, 12)), () => ({ contentType: 'audio/wav', demuxer: 'wav' })],
  [(head) => /^FORM....AIF[FC]/s.test(textAt(head, 0, 12)), () => ({ contentType: 'audio/aiff', demuxer: 'aiff' })],
  [(head) => startsWith(head, ASF), () => ({ contentType: 'video/x-ms-asf', demuxer: 'asf' })],
  [isFrame, frameType],
]

const headAt = async (file: FileHandle, at: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, at)
  return buffer.subarray(0, bytesRead)
}

const typeOf = (head: Buffer): FoundType | undefined => MARKS.find(([isMarked]) => isMarked(head))?.[1](head)

/** The length of an ID3 tag at the beginning (ID3v2, 3.1). */
const tagLength = (head: Buffer): number => [6, 7, 8, 9].reduce((size, at) => size * 128 + ((head[at] ?? 0) & 0x7f), 0) + 10

/** The type of a file by its first bytes, whatever its name; undefined if unknown. */
export const typeOfFile = async (path: string): Promise<FoundType | undefined> => {
  const file = await open(path)
  try {
    const head = await headAt(file, 0)
    if (textAt(head, 0, 3) !== 'ID3') return typeOf(head)
    const behind = typeOf(await headAt(file, tagLength(head)))
    return behind && ['aac', 'flac'].includes(behind.demuxer ?? '') ? behind : { contentType: 'audio/mpeg', demuxer: 'mp3' }
  } finally {
    await file.close()
  }
}
