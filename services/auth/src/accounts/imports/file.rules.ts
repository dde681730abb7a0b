import { type Line, linesOf, MAX_LINES } from './line.rules.ts'

/** Why a file cannot be read in: it says nothing or too much, or it holds something else than was said. */
export type FileFault = 'unreadable' | 'otherKind'

const ADDRESS = 'account address'

/** A local username, or a handle with a server. */
const isHandle = (cell = '') => /^@?\w+$/.test(cell) || /^@?[\w.-]+@[^\s@,/]+$/.test(cell)

/** What the first cells of a line must be. The file of lists begins with a title, which could be a username. */
const isPerson = ([first, second]: readonly string[]) => isHandle(first) && !second?.includes('@')

type Kind = {
  /** The columns as files name them, in the order in which a line is read; a file has the required ones at least. */
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

/** Columns that files of one kind alone have, by kind: a file that names them is no other. */
const ownColumns = (kind: string): string[] => {
  const others = new Set(Object.entries(KINDS).flatMap(([name, { columns }]) => (name === kind ? [] : columns)))
  return (KINDS[kind]?.columns ?? []).filter((column) => !others.has(column))
}

const isOfAnother = (kind: string, names: readonly string[]): boolean =>
  Object.keys(KINDS).some((name) => name !== kind && ownColumns(name).some((column) => names.includes(column)))

/** The names of the columns, if the first line has them; some programs begin them with `#`. */
const namesOf = (first: Line | undefined): string[] | undefined => {
  const names = first?.cells.map((cell) => cell.toLowerCase().replace(/^#/, ''))
  return names?.includes(ADDRESS) || first?.cells[0]?.startsWith('#') ? names : undefined
}

/** Puts the cells of a line into the order in which its kind is read. */
const ordered = (columns: readonly string[], names: readonly string[]) => {
  const places = columns.map((column) => names.indexOf(column))
  return ({ line, cells }: Line): Line => {
    const found = places.map((place) => cells[place])
    const length = found.findLastIndex((cell) => cell !== undefined) + 1
    return { line, cells: found.slice(0, length).map((cell) => cell ?? '') }
  }
}

/**
 * The lines of a file of a kind. Columns are read by their names where the file has them, and by their order where it has none. A file that
 * holds something else is refused as a whole, since it could block everyone someone follows, or take the place of what is here with nothing.
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
