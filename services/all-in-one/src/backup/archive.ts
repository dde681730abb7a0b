import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { readChunks } from '@rookery/handles'
import { extract, type Pack, pack } from 'tar-stream'

/** Writes entries into an archive, one after the other. */
export type Archive = {
  add(name: string, bytes: Buffer): Promise<void>
  /** Writes a streamed entry of known length. @throws Error if the length differs */
  addStream(name: string, size: number, bytes: AsyncIterable<Buffer>): Promise<void>
  end(): Promise<void>
}

/** The first entry: the origin of the archive. */
export type Head = {
  readonly format: 1
  readonly version: string
  readonly madeAt: string
  /** The migration steps of each service's schema. */
  readonly steps: Readonly<Record<string, readonly string[]>>
}

/** The last entry: totals of the others. An archive without it is truncated. */
export type Foot = { readonly files: number; readonly tables: number; readonly bytes: number }

export const HEAD = 'rookery.json'
export const FOOT = 'end.json'
export const FILES = 'files/'
export const DATABASE = 'database/'
export const SEQUENCES = 'sequences.json'

/** An entry of an archive: its name and content, which must be read before the next entry. */
export type Entry = { readonly name: string; readonly bytes: AsyncIterable<Buffer> }

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** Opens an archive for writing (tar), and its output stream; writes wait until that is read. */
export const openArchive = (): { archive: Archive; output: Pack } => {
  const tar = pack()
  const mtime = new Date()
  const addStream: Archive['addStream'] = async (name, size, bytes) => {
    await pipeline(bytes, tar.entry({ name, size, mtime, mode: 0o600 }))
  }
  return {
    output: tar,
    archive: { addStream, add: (name, bytes) => addStream(name, bytes.length, once(bytes)), end: async () => tar.finalize() },
  }
}

/** Turns errors of tar-stream and zlib about an invalid or truncated file into messages for the operator; other errors are unchanged. */
const readable = (error: Error): Error => {
  if (/unexpected end/i.test(error.message)) return new Error('The archive is truncated.', { cause: error })
  if (/invalid tar header|incorrect header check/i.test(error.message)) return new Error('This is not a backup archive.', { cause: error })
  return error
}

/** Reads the entries of an archive's file, one after the other. @throws Error for a file that is not an archive, or is truncated */
export async function* readArchive(file: string): AsyncIterable<Entry> {
  const tar = extract()
  // Its errors end the loop below.
  pipeline(readChunks(file), createGunzip(), tar).catch(() => {})
  try {
    for await (const entry of tar) {
      yield { name: entry.header.name, bytes: entry as AsyncIterable<unknown> as AsyncIterable<Buffer> }
      entry.resume()
    }
  } catch (error) {
    throw readable(error as Error)
  }
}
