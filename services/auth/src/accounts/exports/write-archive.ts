import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { CSV_FILES } from './csv-files.ts'
import { type PartsDeps, readCsv, readMedia, readProfile, readStatuses } from './read-parts.ts'

/**
 * All data of an account as a zip stream. Each file is read only once the one before is written, so that memory holds one page and nothing
 * is stored.
 */
export const writeArchive =
  (deps: PartsDeps) =>
  (accountId: string): AsyncIterable<Buffer> => {
    const zip = new ZipFile()
    const output = zip.outputStream as PassThrough
    // Passes errors on to the reader of the archive; the library does not handle errors of its inputs.
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
