type LoggedError = { message?: string; cause?: LoggedError | string } | string

const LEVELS: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warning', 50: 'error', 60: 'fatal' }

/** Fields that are in every line, and that a person at a terminal does not need. */
const KNOWN = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'err'])

/** The messages of an error and its causes, as one sentence. */
const sentenceOf = (error: LoggedError): string => {
  if (typeof error === 'string') return error
  const causes = error.cause === undefined ? '' : `: ${sentenceOf(error.cause)}`
  return `${error.message || 'an error without a message'}${causes}`
}

/** Removes control characters, so that input cannot move the cursor or colour the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const printable = (text: string) => text.replace(/\s+/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '')

const fieldOf = ([name, value]: [string, unknown]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`

/** Formats a line of the JSON log for a person at a terminal: time of day, level, event, error. Stack traces are left out. */
export const consoleLine = (json: string): string => {
  const line = JSON.parse(json) as Record<string, unknown> & { level: number; time: number; msg?: string; err?: LoggedError }
  const why = line.err === undefined ? '' : `: ${sentenceOf(line.err)}`
  const fields = Object.entries(line).filter(([name]) => !KNOWN.has(name))
  const details = fields.length > 0 ? ` (${fields.map(fieldOf).join(', ')})` : ''
  const time = new Date(line.time).toTimeString().slice(0, 8)
  return `${time} ${LEVELS[line.level] ?? line.level}: ${printable(`${line.msg ?? ''}${why}${details}`)}\n`
}
