import { CSV_FILES } from './csv-files.ts'
import { type PartsDeps, readCsv } from './read-parts.ts'
import { writeArchive } from './write-archive.ts'

export { CSV_FILES } from './csv-files.ts'

/** What other slices may do with what people take along. */
export const createDataExport = (deps: PartsDeps) => ({
  /** The file of a name, read as it is sent; undefined for none of ours. */
  csv: (accountId: string, name: string): AsyncGenerator<string> | undefined => {
    const file = CSV_FILES.find((each) => each.file === name)
    return file && readCsv(deps, accountId, file)
  },
  archive: writeArchive(deps),
})

export type DataExport = ReturnType<typeof createDataExport>
