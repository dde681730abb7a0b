/** The columns by which servers exchange lists of domains. */
const COLUMNS = ['domain', 'severity', 'reject_media', 'reject_reports', 'public_comment', 'obfuscate'] as const

/** The first line of such a file. */
export const CSV_HEADER = `${COLUMNS.map((name) => `#${name}`).join(',')}\n`

const cellOf = (value: string | boolean | null): string => {
  const text = String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The line of a block. */
export const csvLineOf = (block: Record<(typeof COLUMNS)[number], string | boolean | null>): string =>
  `${COLUMNS.map((name) => cellOf(block[name])).join(',')}\n`

/** A cell, quoted or not, and what ends it. */
const CELL = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|\r|$)/y

const unquoted = (cell: string) => (cell.startsWith('"') && cell.length > 1 ? cell.slice(1, -1).replaceAll('""', '"') : cell)

const nextLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end + 1
}

/** Rows of CSV (RFC 4180), of any line ends; empty ones are left out. */
const rowsOf = (text: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; at = CELL.lastIndex) {
    CELL.lastIndex = at
    const [, cell = '', end] = CELL.exec(text) ?? []
    // What follows a quoted cell is no CSV: the rest of its line is skipped.
    if (end === undefined) {
      CELL.lastIndex = nextLine(text, at)
      row = []
      continue
    }
    row.push(unquoted(cell).trim())
    if (end === ',') continue
    if (row.some(Boolean)) rows.push(row)
    row = []
  }
  if (row.some(Boolean)) rows.push(row)
  return rows
}

const isTrue = (cell: string) => ['true', '1', 'yes'].includes(cell.toLowerCase())

/** The domains of a list, in the form that servers exchange or one on each line. */
export const domainLines = (text: string) => {
  const [first = [], ...rest] = rowsOf(text.replace(/^\uFEFF/, ''))
  const hasNames = first[0]?.startsWith('#') || first[0]?.toLowerCase() === 'domain'
  const names = hasNames ? first.map((name) => name.replace(/^#/, '').toLowerCase()) : [...COLUMNS]
  return (hasNames ? rest : [first, ...rest]).flatMap((row) => {
    const cell = (name: (typeof COLUMNS)[number]) => row[names.indexOf(name)] ?? ''
    if (!cell('domain')) return []
    return [
      {
        domain: cell('domain'),
        severity: cell('severity'),
        rejectMedia: isTrue(cell('reject_media')),
        rejectReports: isTrue(cell('reject_reports')),
        publicComment: cell('public_comment'),
        obfuscate: isTrue(cell('obfuscate')),
      },
    ]
  })
}
