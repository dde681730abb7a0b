/** An entry of an archive: its name, how many bytes it has, and those. They are read before the next entry is. */
export type Entry = { readonly name: string; readonly size: number; readonly bytes: AsyncIterable<Buffer> }

const BLOCK = 512
/** Fields of a header (POSIX.1-1988, ustar): where they are, and how long. */
const NAME = { at: 0, length: 100 }
const SIZE = { at: 124, length: 12 }
const CHECKSUM = { at: 148, length: 8 }

const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`

const checksumOf = (header: Buffer): number => {
  let sum = 0
  for (let at = 0; at < BLOCK; at++) {
    const isOfSum = at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length
    sum += isOfSum ? 0x20 : header[at]!
  }
  return sum
}

/** What stands before an entry's bytes. @throws Error for a name that is too long */
export const headerOf = ({ name, size, seconds }: { name: string; size: number; seconds: number }): Buffer => {
  if (Buffer.byteLength(name) > NAME.length) throw new Error(`${name} is too long a name`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, NAME.at)
  header.write(octal(0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, SIZE.length), SIZE.at)
  header.write(octal(seconds, 12), 136)
  header.write('0', 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, CHECKSUM.at)
  return header
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

/** What stands behind an entry's bytes, so that the next begins at a whole block. */
export const paddingAfter = (size: number): Buffer => Buffer.alloc(paddingOf(size))

/** What ends an archive. */
export const ending = (): Buffer => Buffer.alloc(2 * BLOCK)

/** Takes bytes from a stream in the lengths that are asked for. */
const taker = (stream: AsyncIterable<Buffer>) => {
  const chunks = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  /** The next bytes, so many at most; empty at the end. */
  const some = async (most: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const { done, value } = await chunks.next()
      if (done) return rest
      rest = value
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }
  const exactly = async (count: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let left = count; left > 0; ) {
      const part = await some(left)
      if (part.length === 0) throw new Error('The archive ends in the middle: it is not whole.')
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }
  return { some, exactly }
}

const textAt = (header: Buffer, { at, length }: { at: number; length: number }) => header.toString('utf8', at, at + length).split('\0')[0]!

/** The entries of an archive, one after the other. @throws Error for what is no archive, or not a whole one */
export async function* entriesOf(stream: AsyncIterable<Buffer>): AsyncIterable<Entry> {
  const { some, exactly } = taker(stream)
  for (;;) {
    const header = await exactly(BLOCK)
    if (header.every((byte) => byte === 0)) return
    if (Number.parseInt(textAt(header, CHECKSUM), 8) !== checksumOf(header)) throw new Error('This is no archive of a backup.')
    const size = Number.parseInt(textAt(header, SIZE), 8)
    let left = size
    const bytes = (async function* () {
      while (left > 0) {
        const part = await some(left)
        if (part.length === 0) throw new Error('The archive ends in the middle: it is not whole.')
        left -= part.length
        yield part
      }
    })()
    yield { name: textAt(header, NAME), size, bytes }
    for await (const _ of bytes);
    await exactly(paddingOf(size))
  }
}
