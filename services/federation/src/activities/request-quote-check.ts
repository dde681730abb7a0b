import { type Database, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'

/** The job that verifies the approval of a quote again. */
export const CHECK_QUOTE = 'check-quote'

/** The time until the first check, in milliseconds; each next one takes four times as long. */
const FIRST_WAIT = 5 * 60_000
const MAX_ATTEMPTS = 5

/** Requests that the approval of a quote, which cannot be fetched now, is verified again later; not after the last attempt. */
export type RequestQuoteCheck = (quotingUri: string, attempt?: number) => Promise<void>

export const requestQuoteCheck =
  ({ database, clock }: { database: Database<FederationTables>; clock: Clock }): RequestQuoteCheck =>
  async (uri, attempt = 1) => {
    if (attempt > MAX_ATTEMPTS) return
    const runAt = new Date(clock.now() + FIRST_WAIT * 4 ** (attempt - 1))
    await transact(database.db, (tx) => addJob(tx, 'federation', CHECK_QUOTE, { uri, attempt }, { runAt, key: `${CHECK_QUOTE}:${uri}` }))
  }
