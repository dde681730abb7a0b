import type { Generated, Selectable } from 'kysely'

/** A block of a server and its subdomains. */
export type DomainBlockTable = {
  id: Generated<string>
  domain: string
  severity: 'silence' | 'suspend' | 'noop'
  rejectMedia: Generated<boolean>
  rejectReports: Generated<boolean>
  privateComment: string | null
  publicComment: string | null
  obfuscate: Generated<boolean>
  createdAt: Generated<Date>
  /** Whether statuses knows it. */
  isApplied: Generated<boolean>
}

/** A stored block. */
export type DomainBlockRow = Selectable<DomainBlockTable>
