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
