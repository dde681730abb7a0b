import type { Generated } from 'kysely'

/** A server that is limited here, its subdomains included. */
export type DomainBlockTable = {
  id: Generated<string>
  domain: string
  severity: 'silence' | 'suspend' | 'noop'
  reject_media: Generated<boolean>
  reject_reports: Generated<boolean>
  private_comment: string | null
  public_comment: string | null
  obfuscate: Generated<boolean>
  created_at: Generated<Date>
}
