/** An import of a file. */
export type ImportTable = {
  id: string
  accountId: string
  kind: string
  /** Whether existing entries that are not in the file are removed. */
  replaces: boolean
  createdAt: Date
  /** When existing entries were removed. */
  clearedAt: Date | null
  finishedAt: Date | null
}

export type ImportLineTable = {
  importId: string
  /** The line number in the file, from 1. */
  line: number
  cells: string[]
  /** done, unknown or refused; null until processed. */
  outcome: string | null
}
