import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { AnnouncementWriter } from './announcement.store.ts'
import { APPLY_SCHEDULE, applySchedule } from './apply-schedule.ts'

/** Publishes an announcement at its start and withdraws it at its end; runs at both. */
export const applyScheduleJob = (deps: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Job => {
  const apply = applySchedule(deps)
  return job<{ id: string }>({
    name: APPLY_SCHEDULE,
    run: ({ id }) =>
      transact(deps.database.db, async (tx) => {
        const row = await new AnnouncementWriter(tx).lock(id)
        if (row) await apply(tx, row, { trace: `announcement-${id}`, isChanged: false })
      }),
  })
}
