/** A file someone reads in. */
export type ImportTable = {
  id: string
  accountId: string
  kind: string
  /** What is not in the file goes. */
  replaces: boolean
  createdAt: Date
  /** What was not in the file is gone since then. */
  clearedAt: Date | null
  finishedAt: Date | null
}

export type ImportLineTable = {
  importId: string
  /** Its place in the file, from 1. */
  line: number
  cells: string[]
  /** done, unknown or refused; null while it waits. */
  outcome: string | null
}
