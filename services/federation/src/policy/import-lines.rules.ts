import { coveringDomains, domainName } from '@rookery/domain-names'
import type { DomainImportLineTable, LineOutcome } from '../database/tables/domain-import.ts'
import { isStricter, type Severity, type Strictness, severityOf } from './domain-block.rules.ts'

export type ImportLine = Omit<DomainImportLineTable, 'importId' | 'outcome'>

/** A block to add for a line. */
export type ImportedBlock = Strictness & { domain: string; publicComment: string | null; obfuscate: boolean }

/**
 * The domain and severity of a line; undefined if it names this server, or no valid domain or severity. An empty severity means suspend.
 */
export const readLine = ({ domain, severity }: ImportLine, ownHost: string): { domain: string; severity: Severity } | undefined => {
  const name = domainName(domain)
  const wanted = severityOf(severity.trim().toLowerCase() || 'suspend')
  return name && name !== ownHost && wanted ? { domain: name, severity: wanted } : undefined
}

/** The outcome of each line, in order, and the blocks to add to the known ones. */
export const outcomesOf = (lines: readonly ImportLine[], known: ReadonlyMap<string, Strictness>, ownHost: string) => {
  const blocks = new Map<string, ImportedBlock>()
  const outcomes = lines.map((line): LineOutcome => {
    const read = readLine(line, ownHost)
    if (!read) return 'invalid'
    const wanted = { severity: read.severity, rejectMedia: line.rejectMedia, rejectReports: line.rejectReports }
    const covering = coveringDomains(read.domain).find((each) => known.has(each) || blocks.has(each))
    const block = covering === undefined ? undefined : (blocks.get(covering) ?? known.get(covering))
    if (block && (covering === read.domain || !isStricter(wanted, block))) return 'known'
    const publicComment = line.publicComment.trim() || null
    blocks.set(read.domain, { ...wanted, domain: read.domain, publicComment, obfuscate: line.obfuscate })
    return 'done'
  })
  return { blocks: [...blocks.values()], outcomes }
}
