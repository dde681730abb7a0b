import { setTimeout as pause } from 'node:timers/promises'

/** The lock of the process that changes tables: listing tables fails while those of another service are being created. */
const MIGRATION_LOCK = 7_266_836
/** Services that start in one process hold it for milliseconds each; a step that changes much holds it for long. */
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 100

/** Sends a statement, always on the same connection. */
export type Send = (text: string) => Promise<{ rows: unknown[] }>

/**
 * Runs work under the one lock per database for changes of tables. It polls for the lock instead of waiting in the database: creating an
 * index concurrently waits for every running statement, and would wait for that one forever.
 */
export const withMigrationLock = async <Result>(send: Send, work: () => Promise<Result>): Promise<Result> => {
  const isTaken = async () => ((await send(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`)).rows[0] as { taken: boolean }).taken
  for (let wait = FIRST_PAUSE; !(await isTaken()); wait = Math.min(wait * 1.5, LONGEST_PAUSE)) await pause(wait)
  try {
    return await work()
  } finally {
    // A lost connection has released it.
    await send(`select pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => {})
  }
}
