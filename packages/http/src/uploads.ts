import { type FileHandle, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PartSink } from './multipart.ts'

/** A file of a multipart body, kept in a temporary file: other parameters may come after it. */
export type UploadedFile = { path: string; name: string; contentType: string }

const PREFIX = 'rookery-upload-'

/** No request takes that long: an older folder belongs to a process that was killed, in milliseconds. */
const ABANDONED_AFTER = 3_600_000
const SWEEP_EVERY = 600_000
let sweptAt = Number.NEGATIVE_INFINITY

/** Removes the uploads that killed processes left behind in the folder for temporary files. */
export const removeAbandonedUploads = async (): Promise<void> => {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name))
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined)
    // Another's folder cannot be removed, which is no fault of this upload.
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

/** The files of one request, in a folder made when the first one comes. */
export type Uploads = {
  readonly files: ReadonlyMap<string, UploadedFile>
  /** Keeps a file of that name; `tooLarge` is thrown when it has more than `maxBytes`. */
  sink(file: Omit<UploadedFile, 'path'> & { field: string }, bound: { maxBytes: number; tooLarge: () => Error }): PartSink
  /** Removes the folder with all that is in it. */
  remove(): Promise<void>
}

/** Keeps the files of one request until they are removed. */
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
          // What a browser sends for a field left empty.
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
