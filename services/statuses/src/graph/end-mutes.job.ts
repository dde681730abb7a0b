import { type Database, transact } from '@rookery/database'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { GraphWriter } from './graph.store.ts'

const AT_A_TIME = 500

/** Clears away mutes that have run out. They stop counting at their time by themselves; this keeps the table small. */
export const endMutesJob = (given: { database: Database<StatusesTables>; clock: Clock }): Job =>
  job({
    name: 'end-mutes',
    cron: '* * * * *',
    run: async () => {
      const now = new Date(given.clock.now())
      while ((await transact(given.database.db, (tx) => new GraphWriter(tx).endMutes(now, AT_A_TIME))) === AT_A_TIME);
    },
  })
