import { type Database, forgetSteps, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import { endedBefore } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import { forgetWithheld } from '../withholding/index.ts'
import { requestDiscarding } from './discard-files.job.ts'
import { forgetEnded } from './ended-subject.store.ts'
import { AT_A_TIME, ReaperWriter } from './reaper.store.ts'

/** Longer than a request with an Idempotency-Key may be repeated, in milliseconds. */
const STEPS_KEPT_FOR = 2 * 3_600_000

/** Deletes expired files (beyond-the-spec 1.2: unattached media is kept for 24 hours). */
export const reapAttachments = ({ database, clock }: { database: Database<MediaTables>; clock: Clock }): Job =>
  job({
    name: 'reap-attachments',
    cron: '*/10 * * * *',
    run: async () => {
      const now = new Date(clock.now())
      const reap = () =>
        transact(database.db, async (tx) => {
          const count = await new ReaperWriter(tx).discardExpired(now)
          if (count > 0) await requestDiscarding(tx)
          return count
        })
      while ((await reap()) === AT_A_TIME);
      await forgetEnded(database.db, endedBefore(clock.now()))
      await forgetWithheld(database.db, now)
      await forgetSteps(database.db, new Date(clock.now() - STEPS_KEPT_FOR))
    },
  })
