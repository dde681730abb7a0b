import type { Generated } from 'kysely'

/** An import of domain blocks by staff. */
export type DomainImportTable = {
  id: Generated<string>
  /** Null for an operator. */
  staffId: string | null
  createdAt: Date
  /** When all lines were stored. */
  startedAt: Date | null
  finishedAt: Date | null
}

/** The result of a line: a new block, an existing one, or an invalid line. */
export type LineOutcome = 'done' | 'known' | 'invalid'

/** A line as entered; outcome is null while it is pending. */
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
