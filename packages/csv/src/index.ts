/** Cells of a row at most; no list has more columns. */
const MAX_CELLS = 64

const EMPTY_LINES = /[\r\n]*/y
const OPENING_QUOTE = /[ \t]*"/y
const PLAIN = /[^,\r\n]*/y
const END_OF_CELL = /,|\r?\n|\r|$/y

/** What an expression finds at a position, and where that ends. */
const matchAt = (expression: RegExp, text: string, at: number): { found: string | undefined; end: number } => {
  expression.lastIndex = at
  const found = expression.exec(text)?.[0]
  return { found, end: at + (found?.length ?? 0) }
}

/** Where the quote stands that ends what begins at `from`: one that is not doubled, or the end of the text. */
const closingQuote = (text: string, from: number): number => {
  let quote = text.indexOf('"', from)
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
  return quote < 0 ? text.length : quote
}

/** The cell at a position, without white space around it, and where what ends it begins. */
const cellAt = (text: string, at: number): { cell: string; end: number } => {
  const opening = matchAt(OPENING_QUOTE, text, at)
  if (opening.found === undefined) {
    const { found = '', end } = matchAt(PLAIN, text, at)
    return { cell: found.trim(), end }
  }
  const close = closingQuote(text, opening.end)
  // What stands between a closing quote and the end of the cell is no CSV, and most likely meant.
  const rest = matchAt(PLAIN, text, Math.min(close + 1, text.length))
  return { cell: (text.slice(opening.end, close).replaceAll('""', '"') + rest.found).trim(), end: rest.end }
}

/**
 * The rows of a file of CSV (RFC 4180), of any line ends, with or without a mark of byte order, in linear time and only as far as they are taken.
 * Rows whose cells are all empty are left out, and cells beyond 64. A quote that never ends takes the rest of the file.
 */
export function* csvRows(text: string): Generator<string[]> {
  let row: string[] = []
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; at < text.length; ) {
    if (row.length === 0) at = matchAt(EMPTY_LINES, text, at).end
    const { cell, end } = cellAt(text, at)
    if (row.length < MAX_CELLS) row.push(cell)
    const { found: separator, end: next } = matchAt(END_OF_CELL, text, end)
    at = next
    if (separator === ',') continue
    if (row.some(Boolean)) yield row
    row = []
  }
  if (row.some(Boolean)) yield row
}

const written = (cell: string) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A line of a file of CSV, its end included. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(written).join(',')}\n`
