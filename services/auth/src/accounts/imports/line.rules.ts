import { csvLines } from '@rookery/csv'

/** Lines of a file at most: more is no list that someone keeps. */
export const MAX_LINES = 20_000

/** What a line of a file says, and its number there, as an editor shows it. */
export type Line = { line: number; cells: string[] }

/** The lines of a file that say something; of a file with too many, one more than there may be with the names of its columns. */
export const linesOf = (text: string): Line[] =>
  csvLines(text)
    .take(MAX_LINES + 2)
    .toArray()

/** yes and no as files write them; anything else is the default. */
export const flagOf = (cell: string | undefined, usual: boolean): boolean => {
  const text = cell?.toLowerCase() ?? ''
  if (['true', '1', 'yes'].includes(text)) return true
  return ['false', '0', 'no'].includes(text) ? false : usual
}

/** The languages of a follow, as files write them. */
export const languagesOf = (cell: string | undefined): string[] => (cell ?? '').split(/[,\s]+/).filter(Boolean)

/** The id of a status that an address of this server names. */
export const statusIdOf = (address: string, baseUrl: string): string | undefined => {
  if (!address.startsWith(`${baseUrl}/`)) return undefined
  return /^\/(?:users\/\w+\/statuses|@\w+)\/(\d{1,19})$/.exec(address.slice(baseUrl.length))?.[1]
}
