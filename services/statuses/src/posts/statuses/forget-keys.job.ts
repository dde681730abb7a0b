import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { forgetKeys } from './status.store.ts'

const KEPT_MILLISECONDS = 3_600_000

/** Forgets idempotency keys after their hour (spec, Other constants 1). */
export const forgetKeysJob = (given: { database: Database<StatusesTables>; clock: Clock }): Job =>
  job({
    name: 'forget-idempotency-keys',
    cron: '*/10 * * * *',
    run: () => forgetKeys(given.database.db, new Date(given.clock.now() - KEPT_MILLISECONDS)),
  })
