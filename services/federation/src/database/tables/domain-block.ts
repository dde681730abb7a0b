import type { Generated, Selectable } from 'kysely'

/** A server that is limited here, its subdomains included. */
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
}

/** A block as it is kept. */
export type DomainBlockRow = Selectable<DomainBlockTable>
