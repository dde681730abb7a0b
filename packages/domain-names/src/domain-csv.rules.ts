import { csvLine, csvRows } from '@rookery/csv'

/** The columns in which servers exchange lists of domains. */
const COLUMNS = ['domain', 'severity', 'reject_media', 'reject_reports', 'public_comment', 'obfuscate'] as const

/** The header line of such a file. */
export const CSV_HEADER = `${COLUMNS.map((name) => `#${name}`).join(',')}\n`

/** A block as a line of such a file. */
export const csvLineOf = (block: Record<(typeof COLUMNS)[number], string | boolean | null>): string =>
  csvLine(COLUMNS.map((name) => String(block[name] ?? '')))

type DomainLine = {
  domain: string
  severity: string
  rejectMedia: boolean
  rejectReports: boolean
  publicComment: string
  obfuscate: boolean
}

const isTrue = (cell: string) => ['true', '1', 'yes'].includes(cell.toLowerCase())

/** The domains of a list, either in the columns that servers exchange or one per line. Parses lazily. */
export function* domainLines(text: string): Generator<DomainLine> {
  let names: readonly string[] = COLUMNS
  let isFirst = true
  for (const row of csvRows(text)) {
    const hasNames = isFirst && (row[0]?.startsWith('#') || row[0]?.toLowerCase() === 'domain')
    isFirst = false
    if (hasNames) {
      names = row.map((name) => name.replace(/^#/, '').toLowerCase())
      continue
    }
    const cell = (name: (typeof COLUMNS)[number]) => row[names.indexOf(name)] ?? ''
    if (!cell('domain')) continue
    yield {
      domain: cell('domain'),
      severity: cell('severity'),
      rejectMedia: isTrue(cell('reject_media')),
      rejectReports: isTrue(cell('reject_reports')),
      publicComment: cell('public_comment'),
      obfuscate: isTrue(cell('obfuscate')),
    }
  }
}
