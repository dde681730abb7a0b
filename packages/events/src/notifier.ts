import pg from 'pg'
import { throttle } from './throttle.ts'

/** At most this often, in milliseconds: NOTIFY takes a lock on the whole database at its commit. */
const PAUSE = 20

/**
 * Wakes the relay of another process by NOTIFY, in a statement of its own and never inside a transaction: for `wake` of the outbox in
 * processes that serve. The relay's interval makes up for a lost one, so a fault is only reported.
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
