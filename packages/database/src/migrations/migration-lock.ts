import { setTimeout as pause } from 'node:timers/promises'

/** Held by the process that changes tables: finding out which there are fails while another service's are being made. */
const MIGRATION_LOCK = 7_266_836
/** Services that start in one process hold it for milliseconds each; a step that changes much holds it for long. */
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 100

/** Sends a statement on one connection, always the same. */
export type Send = (text: string) => Promise<{ rows: unknown[] }>

/**
 * Does work under the one lock of a database under which tables are changed. It asks for the lock again and again instead of waiting in the
 * database: an index that is made concurrently waits for every statement that runs, and would wait for that one forever.
 */
export const withMigrationLock = async <Result>(send: Send, work: () => Promise<Result>): Promise<Result> => {
  const isTaken = async () => ((await send(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`)).rows[0] as { taken: boolean }).taken
  for (let wait = FIRST_PAUSE; !(await isTaken()); wait = Math.min(wait * 1.5, LONGEST_PAUSE)) await pause(wait)
  try {
    return await work()
  } finally {
    // A connection that broke has given it back.
    await send(`select pg_advisory_unlock(${MIGRATION_LOCK})`).catch(() => {})
  }
}
