import { setTimeout as pause } from 'node:timers/promises'
import type { Connection, EndReason } from '../channels/subscriber.ts'

/** Ends each connection at its time, in milliseconds from now; times rise. */
const endEach = async (connections: readonly Connection[], reason: EndReason, timeOf: (index: number) => number): Promise<void> => {
  const begun = performance.now()
  for (const [index, connection] of connections.entries()) {
    const wait = begun + timeOf(index) - performance.now()
    if (wait > 1) await pause(wait, undefined, { ref: false })
    connection.end(reason)
  }
}

/**
 * Ends connections one after the other over so many milliseconds, so that those who held them do not all come back at once. They stay as
 * long as they can: the last of them until the time is over.
 */
export const sayGoodbye = (connections: readonly Connection[], milliseconds: number): Promise<void> =>
  endEach(connections, 'server is going away', (index) => (milliseconds * (index + 1)) / connections.length)

/** Ends connections on which events may be missing, spread over so many milliseconds but the first of them at once. */
export const endIncomplete = (connections: readonly Connection[], milliseconds: number): Promise<void> =>
  endEach(connections, 'events may be missing', (index) => (milliseconds * index) / connections.length)

/** Whether a client whose connection ends for this reason would be let in again. */
export const mayComeBack = (reason: EndReason): boolean => reason === 'server is going away' || reason === 'events may be missing'

const SOONEST_MILLISECONDS = 500
const LATEST_MILLISECONDS = 3000

/** Tells the program behind an event stream after which time of its own to come back (HTML, Server-sent events, 9.2.6). */
export const comeBack = (): string =>
  `retry: ${Math.round(SOONEST_MILLISECONDS + Math.random() * (LATEST_MILLISECONDS - SOONEST_MILLISECONDS))}\n\n`
