import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import { readSuspended } from './act.store.ts'
import { accountSuspended } from './suspension.events.ts'

/** Maximum number of accounts per transaction. */
const AT_A_TIME = 500

/**
 * Republishes the suspensions of local accounts: media never received those made before this event existed, or while it ran a version that does
 * not know the event. Idempotent; a concurrent act wins by its id.
 */
export const publishSuspendedJob = ({ database, outbox }: { database: Database<StatusesTables>; outbox: Outbox }): Job =>
  job({
    name: 'publish-suspended',
    lane: 'bulk',
    cron: '30 4 * * *',
    run: async (_payload, signal) => {
      const publish = (after: string) =>
        transact(database.db, async (tx) => {
          const suspended = await readSuspended(tx, { after, limit: AT_A_TIME })
          const events = suspended.map(({ id, actId }) => accountSuspended({ accountId: id, isSuspended: true, actId }))
          if (events.length > 0) await outbox.append(tx, events)
          return suspended.length === AT_A_TIME ? suspended.at(-1)?.id : undefined
        })
      for (let after: string | undefined = '0'; after !== undefined; ) {
        signal?.throwIfAborted()
        after = await publish(after)
      }
    },
  })
