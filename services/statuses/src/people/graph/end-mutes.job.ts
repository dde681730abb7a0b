import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { accountUnmuted } from './graph.events.ts'
import { GraphWriter } from './graph.store.ts'

const AT_A_TIME = 500

/** Deletes expired mutes, and publishes their events. Expired mutes have no effect even before that. */
export const endMutesJob = ({ database, outbox, clock }: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Job =>
  job({
    name: 'end-mutes',
    cron: '* * * * *',
    run: async () => {
      const now = new Date(clock.now())
      const end = () =>
        transact(database.db, async (tx) => {
          const ended = await new GraphWriter(tx).endMutes(now, AT_A_TIME)
          await outbox.append(tx, ended.map(accountUnmuted))
          return ended.length
        })
      while ((await end()) === AT_A_TIME);
    },
  })
