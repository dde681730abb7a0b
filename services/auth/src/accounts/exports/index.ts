import { CSV_FILES } from './csv-files.ts'
import { type PartsDeps, readCsv } from './read-parts.ts'
import { writeArchive } from './write-archive.ts'

export { CSV_FILES } from './csv-files.ts'

/** Export of an account's data, for other slices. */
export const createDataExport = (deps: PartsDeps) => ({
  /** Streams a CSV file by its name; undefined for an unknown name. */
  csv: (accountId: string, name: string): AsyncGenerator<string> | undefined => {
    const file = CSV_FILES.find((each) => each.file === name)
    return file && readCsv(deps, accountId, file)
  },
  archive: writeArchive(deps),
})

export type DataExport = ReturnType<typeof createDataExport>
