import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder of an upload's own, gone when it is done with. */
export type SpooledFile = { path: string; folder: string; size: number; remove(): Promise<void> }

/** More bytes came than may. */
export class TooLargeError extends Error {}

/** Keeps bytes while they come in. */
export type Spool = {
  /** Writes the bytes to a file. @throws TooLargeError as soon as there are more than `most`, with nothing left behind */
  receive(bytes: AsyncIterable<Uint8Array>, most: number): Promise<SpooledFile>
}

/** What a process left that was killed in the middle of an upload is older than this, in milliseconds. */
const LEFT_BEHIND = 24 * 3_600_000

const sweep = async (root: string, before: number): Promise<void> => {
  for (const name of await readdir(root)) {
    const folder = join(root, name)
    const found = await stat(folder).catch(() => undefined)
    if (found && found.mtimeMs < before) await rm(folder, { recursive: true, force: true })
  }
}

async function* atMost(bytes: AsyncIterable<Uint8Array>, most: number, count: (size: number) => void): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > most) throw new TooLargeError()
    count(size)
    yield chunk
  }
}

/** Keeps uploads below a folder. What earlier processes left there is cleared away first. */
export const diskSpool = ({ root }: { root: string }): Spool => {
  let prepared: Promise<void> | undefined
  const prepare = async () => {
    await mkdir(root, { recursive: true })
    await sweep(root, Date.now() - LEFT_BEHIND)
  }
  return {
    async receive(bytes, most) {
      prepared ??= prepare().catch((error) => {
        prepared = undefined
        throw error
      })
      await prepared
      const folder = await mkdtemp(join(root, 'upload-'))
      const remove = () => rm(folder, { recursive: true, force: true })
      const path = join(folder, 'received')
      let size = 0
      try {
        const counted = atMost(bytes, most, (total) => {
          size = total
        })
        await writeFile(path, counted, { mode: 0o600 })
        return { path, folder, size, remove }
      } catch (error) {
        await remove()
        throw error
      }
    },
  }
}
