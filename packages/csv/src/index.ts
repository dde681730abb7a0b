/** Maximum cells of a row; no list has more columns. */
const MAX_CELLS = 64

const OPENING_QUOTE = /[ \t]*"/y
const PLAIN = /[^,\r\n]*/y
const BLANKS_BEFORE_END = /[ \t]*(?=[,\r\n]|$)/y
/** A separator; or a line end, together with the empty lines after it; or the end of the file. */
const END_OF_CELL = /,|[\r\n]+|$/y

/** The match of an expression at a position, and the position after it. */
const matchAt = (expression: RegExp, text: string, at: number): { found: string | undefined; end: number } => {
  expression.lastIndex = at
  const found = expression.exec(text)?.[0]
  return { found, end: at + (found?.length ?? 0) }
}

/** The position of the closing quote, skipping doubled ones; negative if there is none. */
const closingQuote = (text: string, from: number): number => {
  let quote = text.indexOf('"', from)
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
  return quote
}

/** A trimmed cell, and the position after it. */
type Cell = { cell: string; end: number }

/** The quoted cell at a position; undefined if no quoted cell is there, or text follows its closing quote. */
const quotedAt = (text: string, at: number): Cell | undefined => {
  const opening = matchAt(OPENING_QUOTE, text, at)
  const close = opening.found === undefined ? -1 : closingQuote(text, opening.end)
  if (close < 0) return undefined
  const { found, end } = matchAt(BLANKS_BEFORE_END, text, close + 1)
  return found === undefined ? undefined : { cell: text.slice(opening.end, close).replaceAll('""', '"').trim(), end }
}

const plainAt = (text: string, at: number): Cell => {
  const { found = '', end } = matchAt(PLAIN, text, at)
  return { cell: found.trim(), end }
}

/** Line ends, as editors count them. */
const LINE_END = /\r\n|\r|\n/g

const countLines = (text: string): number => text.match(LINE_END)?.length ?? 0

/**
 * The rows of a CSV file (RFC 4180), with any line ends, with or without a byte order mark. Parses lazily, in linear time. Empty rows are
 * skipped, and so are cells beyond 64. A cell that is not quoted by the rules is taken verbatim, so that an unclosed quote does not swallow
 * the rows after it.
 */
export function* csvRows(file: string): Generator<string[]> {
  for (const { cells } of csvLines(file)) yield cells
}

/** The rows of a CSV file as `csvRows` gives them, each with the number of the line it begins on, from 1. */
export function* csvLines(file: string): Generator<{ line: number; cells: string[] }> {
  // Postgres stores no NUL; the replacement character takes its place.
  const text = file.replaceAll('\0', '\uFFFD')
  let row: string[] = []
  let line = 1
  let begin = 0
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; ) {
    const { cell, end } = quotedAt(text, at) ?? plainAt(text, at)
    if (row.length < MAX_CELLS) row.push(cell)
    const { found: separator, end: next } = matchAt(END_OF_CELL, text, end)
    at = next
    if (separator === ',') continue
    if (row.some(Boolean)) yield { line, cells: row }
    row = []
    line += countLines(text.slice(begin, at))
    begin = at
  }
  if (row.some(Boolean)) yield { line, cells: row }
}

const written = (cell: string) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A line of a CSV file, line end included. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(written).join(',')}\n`
