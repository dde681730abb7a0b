import { constants } from 'node:fs'
import { access, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readChunks } from '@rookery/handles'
import { isKey, type Storage } from './storage.ts'

/** Flushes a file, or the entries of a folder, to the disk. */
const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Creates a folder below another and flushes its entry, too. */
const makeFolder = async (folder: string, root: string): Promise<void> => {
  if (!(await mkdir(folder, { recursive: true }))) return
  for (let parent = dirname(folder); parent.length >= root.length; parent = dirname(parent)) await flush(parent)
}

/** The sorted names in a folder; none if it does not exist. */
const namesIn = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.sort()
}

/** The sorted names of files, from the folder of a key on. */
async function* namesFrom(folder: string, key: string): AsyncIterable<string> {
  const [first, second] = [key.slice(0, 2), key.slice(2, 4)]
  for (const outer of await namesIn(folder)) {
    if (outer < first) continue
    for (const inner of await namesIn(join(folder, outer))) {
      if (outer === first && inner < second) continue
      yield* await namesIn(join(folder, outer, inner))
    }
  }
}

/** A storage whose files are at paths. */
export type DiskStorage = Storage & { pathOf(key: string): string }

/** Stores files in a local folder, two levels deep by the first letters of the key, so that no folder grows large. */
export const diskStorage = ({ folder }: { folder: string }): DiskStorage => {
  const pathOf = (key: string) => {
    if (!isKey(key)) throw new Error('not a key')
    return join(folder, key.slice(0, 2), key.slice(2, 4), key)
  }
  const unfinished = (path: string) => `${path}.unfinished`
  return {
    pathOf,
    async put(key, from) {
      const path = pathOf(key)
      await makeFolder(dirname(path), folder)
      try {
        await copyFile(from, unfinished(path), constants.COPYFILE_FICLONE)
        await flush(unfinished(path))
        // Renamed at the end: a reader sees all of the file or none of it, whenever the process dies.
        await rename(unfinished(path), path)
      } catch (error) {
        await rm(unfinished(path), { force: true })
        throw error
      }
      await flush(dirname(path))
    },
    async open(key) {
      const path = pathOf(key)
      const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return found && { size: found.size, read: (range) => readChunks(path, { range }) }
    },
    async remove(key) {
      const path = pathOf(key)
      await rm(unfinished(path), { force: true })
      await rm(path, { force: true })
    },
    async keysAfter(key, max) {
      const found: string[] = []
      for await (const name of namesFrom(folder, key)) {
        if (isKey(name) && name > key) found.push(name)
        if (found.length === max) break
      }
      return found
    },
    async fault() {
      const writable = mkdir(folder, { recursive: true }).then(() => access(folder, constants.W_OK))
      return writable.then(
        () => undefined,
        (error: NodeJS.ErrnoException) => `the folder of files cannot be written to: ${error.code}`,
      )
    },
  }
}
