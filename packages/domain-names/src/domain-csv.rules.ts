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

/** Rows of CSV (RFC 4180), of any line ends; empty ones are left out. */
const rowsOf = (text: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; at = CELL.lastIndex) {
    CELL.lastIndex = at
    const [, cell = '', end] = CELL.exec(text) ?? []
    // What follows a quoted cell is no CSV: the rest of its line is skipped.
    if (end === undefined) {
      const next = text.indexOf('\n', at)
      CELL.lastIndex = next < 0 ? text.length : next + 1
      row = []
      continue
    }
    row.push((cell.startsWith('"') && cell.length > 1 ? cell.slice(1, -1).replaceAll('""', '"') : cell).trim())
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
