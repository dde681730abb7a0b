import { type Line, linesOf, MAX_LINES } from './line.rules.ts'

/** Why a file is refused: it is empty, too long or not text, or its content is of another kind than chosen. */
export type FileFault = 'unreadable' | 'otherKind'

const ADDRESS = 'account address'

/** A local username, or a handle with a server. */
const isHandle = (cell = '') => /^@?\w+$/.test(cell) || /^@?[\w.-]+@[^\s@,/]+$/.test(cell)

/**
 * Whether a row is of accounts, and not of lists, whose first cell is a title that could pass for a username and whose second is a handle.
 */
const isPerson = ([first, second]: readonly string[]) => isHandle(first) && !second?.includes('@')

type Kind = {
  /** Column names as files write them, in the order of parsed cells; a file with a header has at least the required ones. */
  columns: readonly string[]
  required: readonly string[]
  fits: (cells: readonly string[]) => boolean
}

const KINDS: Readonly<Record<string, Kind>> = {
  following: { columns: [ADDRESS, 'show boosts', 'notify on new posts', 'languages'], required: [ADDRESS], fits: isPerson },
  blocks: { columns: [ADDRESS], required: [ADDRESS], fits: isPerson },
  mutes: { columns: [ADDRESS, 'hide notifications'], required: [ADDRESS], fits: isPerson },
  lists: { columns: ['list name', ADDRESS], required: ['list name', ADDRESS], fits: ([, acct]) => isHandle(acct) },
  bookmarks: { columns: ['uri'], required: ['uri'], fits: ([uri = '']) => /^https?:\/\//i.test(uri) },
  domain_blocks: { columns: ['domain'], required: ['domain'], fits: ([domain = '']) => /^[^\s@/]+\.[^\s@/]+$/.test(domain) },
}

/** Columns that only files of this kind have: a file with one of them is of this kind. */
const ownColumns = (kind: string): string[] => {
  const others = new Set(Object.entries(KINDS).flatMap(([name, { columns }]) => (name === kind ? [] : columns)))
  return (KINDS[kind]?.columns ?? []).filter((column) => !others.has(column))
}

const isOfAnother = (kind: string, names: readonly string[]): boolean =>
  Object.keys(KINDS).some((name) => name !== kind && ownColumns(name).some((column) => names.includes(column)))

/** The column names, if the first line is a header; some programs write `#` before them. */
const namesOf = (first: Line | undefined): string[] | undefined => {
  const names = first?.cells.map((cell) => cell.toLowerCase().replace(/^#/, ''))
  return names?.includes(ADDRESS) || first?.cells[0]?.startsWith('#') ? names : undefined
}

/** Reorders the cells of a line into the order of its kind. */
const ordered = (columns: readonly string[], names: readonly string[]) => {
  const places = columns.map((column) => names.indexOf(column))
  return ({ line, cells }: Line): Line => {
    const found = places.map((place) => cells[place])
    const length = found.findLastIndex((cell) => cell !== undefined) + 1
    return { line, cells: found.slice(0, length).map((cell) => cell ?? '') }
  }
}

/**
 * Parses a file of a kind. Columns are found by the header if there is one, else by position. A file with content of another kind is
 * refused as a whole: it could block everyone the person follows, or replace existing data with nothing.
 */
export const readFile = (kind: string, text: string): Line[] | FileFault => {
  const rows = linesOf(text)
  const { columns, required, fits } = KINDS[kind] ?? { columns: [], required: [], fits: () => false }
  const names = namesOf(rows[0])
  if (names && isOfAnother(kind, names)) return 'otherKind'
  const isNamed = names && required.every((column) => names.includes(column))
  const rest = names ? rows.slice(1) : rows
  const lines = isNamed ? rest.map(ordered(columns, names)).filter(({ cells }) => cells.some(Boolean)) : rest
  if (lines.length === 0 || lines.length > MAX_LINES || text.includes('\0')) return 'unreadable'
  return lines.some(({ cells }) => fits(cells)) ? lines : 'otherKind'
}
