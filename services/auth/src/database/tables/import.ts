/** A file somebody reads in. */
export type ImportTable = {
  id: string
  account_id: string
  kind: string
  /** What is not in the file goes. */
  replaces: boolean
  created_at: Date
  /** What was not in the file is gone since then. */
  cleared_at: Date | null
  finished_at: Date | null
}

export type ImportLineTable = {
  import_id: string
  /** Its place in the file, from 1. */
  line: number
  cells: string[]
  /** done, unknown or refused; null while it waits. */
  outcome: string | null
}
