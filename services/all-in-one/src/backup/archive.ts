import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { ending, headerOf, paddingAfter } from './tar.ts'

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

/** Writes an archive into a stream, no faster than it takes it. */
export const openArchive = (stream: Writable): Archive => {
  const seconds = Math.floor(Date.now() / 1000)
  const write = async (bytes: Buffer) => {
    if (stream.destroyed) throw stream.errored ?? new Error('Nobody takes the archive any more.')
    if (!stream.write(bytes)) await once(stream, 'drain')
  }
  return {
    async add(name, bytes) {
      await write(Buffer.concat([headerOf({ name, size: bytes.length, seconds }), bytes, paddingAfter(bytes.length)]))
    },
    async addStream(name, size, bytes) {
      await write(headerOf({ name, size, seconds }))
      let written = 0
      for await (const part of bytes) {
        written += part.length
        await write(part)
      }
      if (written !== size) throw new Error(`${name} has ${written} bytes and should have ${size}`)
      await write(paddingAfter(size))
    },
    async end() {
      await write(ending())
      stream.end()
    },
  }
}
