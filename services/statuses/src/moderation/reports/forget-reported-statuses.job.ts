import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { forgetCopies } from './reported-status.store.ts'

/** Thirty days, in milliseconds: longer than the period for appeals. */
const KEPT_MILLISECONDS = 30 * 86_400_000

/** Deletes the copies of reported statuses thirty days after their reports were resolved. */
export const forgetReportedStatusesJob = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }): Job =>
  job({
    name: 'forget-reported-statuses',
    lane: 'bulk',
    cron: '23 * * * *',
    run: () => forgetCopies(database, new Date(clock.now() - KEPT_MILLISECONDS)),
  })
