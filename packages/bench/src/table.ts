/** A line of the printed table. */
export type Line = {
  what: string
  perSecond?: string
  p50?: number
  p99?: number
  /** Processor time of the server and of Postgres, in microseconds per request. */
  serverMicroseconds?: number
  databaseMicroseconds?: number
  memory?: string
  remark?: string
}

const COLUMNS = ['what', 'throughput', 'p50 ms', 'p99 ms', 'server µs/request', 'Postgres µs/request', 'memory', '']
const print = (columns: readonly string[]) => console.log(`| ${columns.join(' | ')} |`)
const number = (value: number | undefined, digits = 0) => (value === undefined ? '' : value.toFixed(digits))

/** Prints the head of the table. */
export const printHead = (): void => {
  print(COLUMNS)
  print(COLUMNS.map(() => '---'))
}

/** Prints a line of the table. */
export const printLine = (line: Line): void =>
  print([
    line.what,
    line.perSecond ?? '',
    number(line.p50, 1),
    number(line.p99, 1),
    number(line.serverMicroseconds),
    number(line.databaseMicroseconds),
    line.memory ?? '',
    line.remark ?? '',
  ])
