import { open } from 'node:fs/promises'

/** Bytes that are looked at: enough for the list of brands that an AVIF begins with. */
const LOOKED_AT = 64

const MARKS: [type: string, isMarked: (head: Buffer) => boolean][] = [
  ['image/jpeg', (head) => head.subarray(0, 3).equals(Buffer.of(0xff, 0xd8, 0xff))],
  ['image/png', (head) => head.subarray(0, 8).equals(Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))],
  ['image/gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['image/webp', (head) => /^RIFF....WEBP/s.test(head.toString('latin1', 0, 12))],
  ['image/avif', (head) => /^....ftyp/s.test(head.toString('latin1')) && /avi[fs]/.test(brandsOf(head))],
]

/** The brands of an ISO base media file (ISO/IEC 14496-12, 4.3). */
const brandsOf = (head: Buffer): string => head.toString('latin1', 8, Math.min(head.length, head.readUInt32BE(0)))

/** What a file is by its first bytes, whatever its name says; undefined when it is nothing we take. */
export const contentTypeOfFile = async (path: string): Promise<string | undefined> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT, 0)
    return MARKS.find(([, isMarked]) => isMarked(buffer.subarray(0, bytesRead)))?.[0]
  } finally {
    await file.close()
  }
}
