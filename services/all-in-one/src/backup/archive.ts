import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { readChunks } from '@rookery/handles'
import { extract, type Pack, pack } from 'tar-stream'

/** Puts entries into an archive, one after the other. */
export type Archive = {
  add(name: string, bytes: Buffer): Promise<void>
  /** Puts in what comes in parts, whose length is known before. @throws Error when it comes to another length */
  addStream(name: string, size: number, bytes: AsyncIterable<Buffer>): Promise<void>
  end(): Promise<void>
}

/** The first entry: what the archive is of. */
export type Head = {
  readonly format: 1
  readonly version: string
  readonly madeAt: string
  /** The steps that made each service's schema. */
  readonly steps: Readonly<Record<string, readonly string[]>>
}

/** The last entry: what came before it. Without it an archive is not whole. */
export type Foot = { readonly files: number; readonly tables: number; readonly bytes: number }

export const HEAD = 'rookery.json'
export const FOOT = 'end.json'
export const FILES = 'files/'
export const DATABASE = 'database/'
export const SEQUENCES = 'sequences.json'

/** An entry of an archive: its name, and its bytes, which are read before the next entry is. */
export type Entry = { readonly name: string; readonly bytes: AsyncIterable<Buffer> }

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** An archive to write (tar), and the stream it comes out of; entries wait until that is read. */
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

/** What tar-stream and zlib say of a file that is no archive or breaks off, for the person who named it; other errors stay as they are. */
const readable = (error: Error): Error => {
  if (/unexpected end/i.test(error.message)) return new Error('The archive is truncated.', { cause: error })
  if (/invalid tar header|incorrect header check/i.test(error.message)) return new Error('This is not a backup archive.', { cause: error })
  return error
}

/** The entries of an archive's file, one after the other. @throws Error for what is no archive, or not a whole one */
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
