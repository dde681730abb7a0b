import type { Database } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { forgetWaiting } from './awaited-parent.store.ts'

const KEPT_MILLISECONDS = 30 * 86_400_000

/** Forgets after thirty days which status replies wait for. */
export const forgetAwaitedParentsJob = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }): Job =>
  job({
    name: 'forget-awaited-parents',
    lane: 'bulk',
    cron: '41 * * * *',
    async run(_payload, signal) {
      const before = new Date(clock.now() - KEPT_MILLISECONDS)
      while (!signal?.aborted && (await forgetWaiting(database, { before })).length > 0);
    },
  })
