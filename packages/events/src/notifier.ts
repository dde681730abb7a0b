import pg from 'pg'
import { throttle } from './throttle.ts'

/** Minimum interval, in milliseconds: NOTIFY takes a lock on the whole database at its commit. */
const PAUSE = 20

/**
 * Wakes the relay of another process by NOTIFY, in a statement of its own and never inside a transaction: the `wake` of the outbox in
 * processes that serve. The relay's interval makes up for a lost notification, so errors are only reported.
 */
export const notifyRelay = (given: { pool: pg.Pool; channel: string; onError?: (error: unknown) => void }): (() => void) => {
  const text = `notify ${pg.escapeIdentifier(given.channel)}`
  const notifying = throttle(
    PAUSE,
    () => given.pool.query(text),
    (error) => given.onError?.(error),
  )
  return notifying.run
}
