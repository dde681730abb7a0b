import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { CSV_FILES } from './csv-files.ts'
import { type PartsDeps, readCsv, readMedia, readProfile, readStatuses } from './read-parts.ts'

/**
 * Everything of someone as a zip that is written while it is read: nothing of it is kept here, and no more of it is in memory than a part.
 * A part is asked for when the one before is written.
 */
export const writeArchive =
  (deps: PartsDeps) =>
  (accountId: string): AsyncIterable<Buffer> => {
    const zip = new ZipFile()
    const output = zip.outputStream as PassThrough
    // The reader of the archive gets each error; the library listens to none of a part.
    const fail = (error: Error) => output.destroy(error)
    const add = (name: string, read: () => AsyncGenerator<string | Buffer>) =>
      zip.addReadStreamLazy(name, { compress: true }, (use) => use(null, Readable.from(read(), { objectMode: false }).on('error', fail)))
    zip.on('error', fail)
    output.on('error', () => {})
    add('profile.json', () => readProfile(deps, accountId))
    add('statuses.json', () => readStatuses(deps, accountId))
    add('media.csv', () => readMedia(deps, accountId))
    for (const file of CSV_FILES) add(file.file, () => readCsv(deps, accountId, file))
    zip.end()
    return output
  }
