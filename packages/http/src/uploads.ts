import { type FileHandle, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PartSink } from './multipart.ts'

/** A file of a multipart body, in a temporary file: other parameters may come after it. */
export type UploadedFile = { path: string; name: string; contentType: string }

const PREFIX = 'rookery-upload-'

/** No request takes this long, in milliseconds: an older folder belongs to a process that was killed. */
const ABANDONED_AFTER = 3_600_000
const SWEEP_EVERY = 600_000
let sweptAt = Number.NEGATIVE_INFINITY

/** Removes the uploads of killed processes from the folder for temporary files. */
export const removeAbandonedUploads = async (): Promise<void> => {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name))
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined)
    // A folder of another user cannot be removed, which must not fail this upload.
    if (found && Date.now() - found.mtimeMs > ABANDONED_AFTER) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

const makeFolder = async (): Promise<string> => {
  if (performance.now() - sweptAt > SWEEP_EVERY) {
    sweptAt = performance.now()
    await removeAbandonedUploads()
  }
  return mkdtemp(join(tmpdir(), PREFIX))
}

/** The files of one request, in a folder created with the first one. */
export type Uploads = {
  readonly files: ReadonlyMap<string, UploadedFile>
  /** Stores a file under a field's name; throws `tooLarge` beyond `maxBytes`. */
  sink(file: Omit<UploadedFile, 'path'> & { field: string }, bound: { maxBytes: number; tooLarge: () => Error }): PartSink
  /** Removes the folder and its files. */
  remove(): Promise<void>
}

/** Stores the files of one request until they are removed. */
export const createUploads = (): Uploads => {
  const files = new Map<string, UploadedFile>()
  let folder: Promise<string> | undefined
  let current: FileHandle | undefined
  const close = async () => {
    const handle = current
    current = undefined
    await handle?.close()
  }
  return {
    files,
    sink({ field, name, contentType }, { maxBytes, tooLarge }) {
      let size = 0
      let path = ''
      const begin = async () => {
        folder ??= makeFolder()
        path = join(await folder, String(files.size))
        current = await open(path, 'wx', 0o600)
        return current
      }
      return {
        async write(chunk) {
          size += chunk.length
          if (size > maxBytes) throw tooLarge()
          await (current ?? (await begin())).writeFile(chunk)
        },
        async end() {
          // A browser sends an empty file without a name for an empty field.
          if (size === 0 && name === '') return
          if (!current) await begin()
          await close()
          files.set(field, { path, name, contentType })
        },
      }
    },
    async remove() {
      await close()
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}
