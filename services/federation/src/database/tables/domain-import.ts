import type { Generated } from 'kysely'

/** A list of domains that staff read in. */
export type DomainImportTable = {
  id: Generated<string>
  /** Null for an operator. */
  staffId: string | null
  createdAt: Date
  /** When all lines were there. */
  startedAt: Date | null
  finishedAt: Date | null
}

/** What became of a line: a new block, one that was there, or nothing. */
export type LineOutcome = 'done' | 'known' | 'invalid'

/** A line as typed; outcome is null while it waits. */
export type DomainImportLineTable = {
  importId: string
  line: number
  domain: string
  severity: string
  rejectMedia: boolean
  rejectReports: boolean
  publicComment: string
  obfuscate: boolean
  outcome: LineOutcome | null
}
