/** Lines of a file at most: more is no list that someone keeps. */
export const MAX_LINES = 20_000

/** Where quoted text that starts at `from` ends: at a quote that is not doubled, or with the text. */
const endOfQuoted = (text: string, from: number): number => {
  let quote = text.indexOf('"', from)
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
  return quote < 0 ? text.length : quote
}

/** Rows of CSV (RFC 4180), of any line ends, in linear time. A quote that never ends takes the rest of the file. */
export const parseCsv = (text: string): string[][] => {
  const rows: string[][] = []
  const row: string[] = []
  let cell = ''
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(row.splice(0))
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"' && cell === '') {
      const end = endOfQuoted(text, at + 1)
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      at = end
    } else if (character === ',') endCell()
    else if (character === '\n') endRow()
    else if (character !== '\r') cell += character
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

/** The lines of a file that say something, without the names of its columns. */
export const linesOf = (text: string): string[][] => {
  const rows = parseCsv(text.replace(/^\uFEFF/, '')).map((cells) => cells.map((cell) => cell.trim()))
  const [first] = rows
  const hasNames = first?.[0]?.toLowerCase() === 'account address' || first?.[0]?.startsWith('#')
  return rows.slice(hasNames ? 1 : 0).filter((cells) => cells.some((cell) => cell !== ''))
}

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
