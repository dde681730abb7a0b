import type { AllowedDomain, BlockedDomain } from '@rookery/contracts/federation'
import { timestamp } from './timestamp.ts'

/** Admin::DomainBlock (spec, Resources), with its digest (beyond-the-spec 2.6). */
export const adminDomainBlockEntity = (block: BlockedDomain) => ({
  id: block.id,
  domain: block.domain,
  digest: block.digest,
  created_at: timestamp(block.createdAtMilliseconds),
  severity: block.severity,
  reject_media: block.rejectMedia,
  reject_reports: block.rejectReports,
  private_comment: block.privateComment ?? null,
  public_comment: block.publicComment ?? null,
  obfuscate: block.obfuscate,
})

/** Admin::DomainAllow (spec, Resources). */
export const adminDomainAllowEntity = (allow: AllowedDomain) => ({
  id: allow.id,
  domain: allow.domain,
  created_at: timestamp(allow.createdAtMilliseconds),
})
