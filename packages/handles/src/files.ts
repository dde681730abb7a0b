import { open } from 'node:fs/promises'

/** A range of bytes in a file, both ends included. */
export type ByteRange = { readonly start: number; readonly end: number }

const CHUNK = 65_536

/** Reads a file, or a range of it, in chunks. The file is closed when the reader ends or stops. @throws Error when it cannot be read */
export async function* readChunks(
  path: string,
  { range = { start: 0, end: Number.POSITIVE_INFINITY }, size = CHUNK }: { range?: ByteRange | undefined; size?: number } = {},
): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    for (let at = range.start; at <= range.end; ) {
      const chunk = Buffer.allocUnsafe(Math.min(size, range.end - at + 1))
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield chunk.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
