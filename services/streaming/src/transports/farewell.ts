import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '../channels/open.ts'

/** Ends connections one after the other over so many milliseconds, so that those who held them do not all come back at once. */
export const endOneByOne = async (connections: readonly Connection[], milliseconds: number): Promise<void> => {
  const begun = performance.now()
  for (const [index, connection] of connections.entries()) {
    const wait = begun + (milliseconds * (index + 1)) / connections.length - performance.now()
    if (wait > 1) await pause(wait)
    connection.end('server is going away')
  }
}

const SOONEST_MILLISECONDS = 500
const LATEST_MILLISECONDS = 3000

/** Tells the program behind an event stream after which time of its own to come back (HTML, Server-sent events, 9.2.6). */
export const comeBack = (): string =>
  `retry: ${Math.round(SOONEST_MILLISECONDS + Math.random() * (LATEST_MILLISECONDS - SOONEST_MILLISECONDS))}\n\n`
