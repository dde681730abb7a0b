import { createHash } from 'node:crypto'
import type { BlockedDomain, DomainBlock } from '@rookery/contracts/federation'
import type { DomainBlockRow } from '../database/tables/domain-block.ts'

/** The public fields of a block. */
type PublicBlock = Pick<DomainBlockRow, 'domain' | 'severity' | 'publicComment' | 'obfuscate'>

const SEVERITIES = ['noop', 'silence', 'suspend'] as const

/** The effect of a block on a domain: none by itself, silence, or suspension (beyond-the-spec 1.15). */
export type Severity = (typeof SEVERITIES)[number]

/** Parses a severity; undefined if unknown. */
export const severityOf = (text: string): Severity | undefined => SEVERITIES.find((severity) => severity === text)

/** The fields that determine how strict a block is. */
export type Strictness = { severity: Severity; rejectMedia: boolean; rejectReports: boolean }

/** Whether a block is stricter than another one that covers the same domain, and may therefore be added. */
export const isStricter = (block: Strictness, other: Strictness): boolean => {
  if (block.severity === 'suspend') return true
  if (SEVERITIES.indexOf(block.severity) < SEVERITIES.indexOf(other.severity)) return false
  return (block.rejectMedia || !other.rejectMedia) && (block.rejectReports || !other.rejectReports)
}

/** The domain with its middle half hidden behind stars; dots stay (beyond-the-spec 1.15). */
export const obfuscated = (domain: string): string => {
  const characters = [...domain]
  const shown = Math.floor(characters.length / 4)
  const isShown = (index: number) => index <= shown || index >= characters.length - shown
  return characters.map((character, index) => (character === '.' || isShown(index) ? character : '*')).join('')
}

const digestOf = (domain: string) => createHash('sha256').update(domain).digest('hex')

/** A block as the public sees it; the digest is always that of the real domain (spec, DomainBlock). */
export const publicView = ({ domain, severity, publicComment, obfuscate }: PublicBlock): DomainBlock => ({
  domain: obfuscate ? obfuscated(domain) : domain,
  digest: digestOf(domain),
  severity,
  comment: publicComment ?? '',
})

/** A block as staff see it (spec, Admin::DomainBlock). */
export const staffView = ({ createdAt, privateComment, publicComment, isApplied: _, ...block }: DomainBlockRow): BlockedDomain => ({
  ...block,
  digest: digestOf(block.domain),
  createdAtMilliseconds: createdAt.getTime(),
  privateComment: privateComment ?? undefined,
  publicComment: publicComment ?? undefined,
})

type Limiting = Pick<DomainBlockRow, 'domain' | 'severity' | 'rejectMedia'>

/** The limits on the accounts of a domain, in the words of statuses. */
export type Limits = { domain: string; isSilenced: boolean; isSuspended: boolean; rejectsMedia: boolean; isDecided: boolean }

/** The limits that staff decided for this very domain. */
export const limitsOf = (domain: string, blocks: readonly Limiting[]): Limits => {
  const block = blocks.find((each) => each.domain === domain)
  const { severity, rejectMedia = false } = block ?? {}
  const isDecided = block !== undefined
  return { domain, isSilenced: severity === 'silence', isSuspended: severity === 'suspend', rejectsMedia: rejectMedia, isDecided }
}

/**
 * The limits to apply after a block was added, changed or removed: those of its domain, then those of subdomains with blocks of their own,
 * wider ones first.
 */
export const limitsAfter = (domain: string, blocks: readonly Limiting[]): Limits[] => {
  const below = blocks.map((block) => block.domain).filter((each) => each.endsWith(`.${domain}`))
  return [domain, ...below.sort((one, other) => one.length - other.length)].map((each) => limitsOf(each, blocks))
}
