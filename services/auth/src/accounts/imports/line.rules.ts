/** Lines of a file at most: more is no list that someone keeps. */
export const MAX_LINES = 20_000

/** Rows of CSV (RFC 4180), of any line ends, in linear time. A quote that never ends takes the rest of the file. */
export const parseCsv = (text: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === ',') {
      row.push(cell)
      cell = ''
    } else if (character === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
    } else if (character !== '\r') cell += character
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell])
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
