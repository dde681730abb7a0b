import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkFolders } from '../work-folders.ts'

/** A received file in a temporary folder. */
export type SpooledFile = { path: string; folder: string; size: number; remove(): Promise<void> }

/** The error of a file over the limit. */
export class TooLargeError extends Error {}

/** Writes incoming bytes to files. */
export type Spool = {
  /** Writes bytes to a file. @throws TooLargeError as soon as there are more than `max`; then nothing is left behind */
  receive(bytes: AsyncIterable<Uint8Array>, max: number): Promise<SpooledFile>
}

/** The name of a received file in its folder. */
export const RECEIVED = 'received'

async function* atMost(bytes: AsyncIterable<Uint8Array>, max: number, count: (size: number) => void): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > max) throw new TooLargeError()
    count(size)
    yield chunk
  }
}

/** A spool in work folders. */
export const diskSpool = (folders: WorkFolders): Spool => ({
  async receive(bytes, max) {
    const folder = await folders.make('upload')
    const remove = () => rm(folder, { recursive: true, force: true })
    const path = join(folder, RECEIVED)
    let size = 0
    try {
      const counted = atMost(bytes, max, (total) => {
        size = total
      })
      await writeFile(path, counted, { mode: 0o600 })
      return { path, folder, size, remove }
    } catch (error) {
      await remove()
      throw error
    }
  },
})
