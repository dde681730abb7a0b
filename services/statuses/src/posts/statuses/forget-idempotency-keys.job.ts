import { type Database, forgetSteps } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { forgetKeys } from './status.store.ts'

const KEPT_MILLISECONDS = 3_600_000

/** Deletes idempotency keys after an hour (spec, Other constants 1), and completed steps once no request of theirs can be in progress. */
export const forgetIdempotencyKeysJob = (deps: { database: Database<StatusesTables>; clock: Clock }): Job =>
  job({
    name: 'forget-idempotency-keys',
    cron: '*/10 * * * *',
    async run() {
      const now = deps.clock.now()
      await forgetKeys(deps.database.db, new Date(now - KEPT_MILLISECONDS))
      await forgetSteps(deps.database.db, new Date(now - 2 * KEPT_MILLISECONDS))
    },
  })
