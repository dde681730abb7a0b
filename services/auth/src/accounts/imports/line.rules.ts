import { csvLines } from '@rookery/csv'

/** The maximum number of lines of a file: longer than any real list. */
export const MAX_LINES = 20_000

/** A line of a file, with its line number as an editor shows it. */
export type Line = { line: number; cells: string[] }

/** The non-empty lines of a file: at most a header, the maximum, and one more that shows that there are too many. */
export const linesOf = (text: string): Line[] =>
  csvLines(text)
    .take(MAX_LINES + 2)
    .toArray()

/** Parses a boolean cell; `usual` is the default for anything else. */
export const flagOf = (cell: string | undefined, usual: boolean): boolean => {
  const text = cell?.toLowerCase() ?? ''
  if (['true', '1', 'yes'].includes(text)) return true
  return ['false', '0', 'no'].includes(text) ? false : usual
}

/** Parses the languages of a follow. */
export const languagesOf = (cell: string | undefined): string[] => (cell ?? '').split(/[,\s]+/).filter(Boolean)

/** The id of a local status by its URL. */
export const statusIdOf = (address: string, baseUrl: string): string | undefined => {
  if (!address.startsWith(`${baseUrl}/`)) return undefined
  return /^\/(?:users\/\w+\/statuses|@\w+)\/(\d{1,19})$/.exec(address.slice(baseUrl.length))?.[1]
}
