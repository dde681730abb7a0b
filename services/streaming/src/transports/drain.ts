import { setTimeout as pause } from 'node:timers/promises'
import type { Connection, EndReason } from '../channels/subscriber.ts'

/** Closes each connection at its time, in milliseconds from now; times rise. */
const endEach = async (connections: readonly Connection[], reason: EndReason, timeOf: (index: number) => number): Promise<void> => {
  const begun = performance.now()
  for (const [index, connection] of connections.entries()) {
    const wait = begun + timeOf(index) - performance.now()
    if (wait > 1) await pause(wait, undefined, { ref: false })
    connection.end(reason)
  }
}

/**
 * Closes connections one after the other over a time in milliseconds, so that their clients do not all reconnect at once. They stay as long
 * as possible: the last until the end.
 */
export const closeGradually = (connections: readonly Connection[], milliseconds: number): Promise<void> =>
  endEach(connections, 'server is going away', (index) => (milliseconds * (index + 1)) / connections.length)

/** Closes connections on which events may be missing, spread over a time in milliseconds, the first at once. */
export const endIncomplete = (connections: readonly Connection[], milliseconds: number): Promise<void> =>
  endEach(connections, 'events may be missing', (index) => (milliseconds * index) / connections.length)

/** Whether a client may reconnect after a connection closed for this reason. */
export const mayReconnect = (reason: EndReason): boolean => reason === 'server is going away' || reason === 'events may be missing'

const SOONEST_MILLISECONDS = 500
const LATEST_MILLISECONDS = 3000

/** The `retry` of an event stream, random within its range (HTML, Server-sent events, 9.2.6). */
export const retryField = (): string =>
  `retry: ${Math.round(SOONEST_MILLISECONDS + Math.random() * (LATEST_MILLISECONDS - SOONEST_MILLISECONDS))}\n\n`
