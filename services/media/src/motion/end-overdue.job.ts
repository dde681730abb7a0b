import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { Clock, Logger } from '@rookery/runtime'
import type { MediaTables } from '../database/schema.ts'
import { endProcessing } from './end-processing.ts'
import type { MotionMetrics } from './motion.metrics.ts'
import { MotionWriter } from './motion.store.ts'

type Deps = { database: Database<MediaTables>; outbox: Outbox; clock: Clock; log: Logger; metrics: MotionMetrics }

/** Fails files whose processing is past its deadline, queueing included, so that none stays 'processing' for ever. */
export const endOverdue = (deps: Deps): Job => {
  const { database, clock, log, metrics } = deps
  const end = endProcessing(deps)
  return job({
    name: 'end-overdue-motion',
    cron: '* * * * *',
    run: () =>
      transact(database.db, async (tx) => {
        for (const row of await new MotionWriter(tx).overdue(new Date(clock.now()))) {
          await end.fail(tx, row, 'late')
          metrics.ended(row.type, 'late')
          log.warn({ mediaId: row.id, type: row.type }, 'a film or recording was not processed in time')
        }
      }),
  })
}
