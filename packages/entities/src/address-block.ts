import type { CanonicalEmailBlock, EmailDomainBlock, IpBlock } from '@rookery/contracts/auth'
import { timestamp } from './timestamp.ts'

/** Admin::EmailDomainBlock (beyond-the-spec 2.6); days and counts are strings, as in the history of a tag. */
export const emailDomainBlockEntity = (block: EmailDomainBlock) => ({
  id: block.id,
  domain: block.domain,
  created_at: timestamp(block.createdAtMilliseconds),
  history: block.history.map(({ daySeconds, addresses, uses }) => ({
    day: String(daySeconds),
    accounts: String(addresses),
    uses: String(uses),
  })),
})

/** Admin::IpBlock (beyond-the-spec 2.6). */
export const ipBlockEntity = (block: IpBlock) => ({
  id: block.id,
  ip: block.network,
  severity: block.severity,
  comment: block.comment,
  created_at: timestamp(block.createdAtMilliseconds),
  expires_at: block.expiresAtMilliseconds === undefined ? null : timestamp(block.expiresAtMilliseconds),
})

/** Admin::CanonicalEmailBlock (beyond-the-spec 2.6). */
export const canonicalEmailBlockEntity = ({ id, hash }: CanonicalEmailBlock) => ({ id, canonical_email_hash: hash })
