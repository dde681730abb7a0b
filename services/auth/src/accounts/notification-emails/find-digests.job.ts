import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Job, job } from '@rookery/jobs'
import { type Clock, dayOf } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Mailer } from '../../mail/mailer/index.ts'
import { digestDue } from './digest.events.ts'
import { claimDigests, isFullClaim } from './mail-preference.store.ts'

const WEEK = 7 * 24 * 3600 * 1000

/** Requests weekly digests for accounts that want one and were not active for a week. */
export const findDigests = (deps: { database: Database<AuthTables>; outbox: Outbox; clock: Clock; mailer: Mailer }): Job =>
  job<unknown>({
    name: 'find-digests',
    cron: '31 * * * *',
    async run(_payload, signal) {
      if (!deps.mailer.canSend) return
      const now = deps.clock.now()
      const within = { seenBefore: dayOf(now - WEEK), dueBefore: new Date(now - WEEK), now: new Date(now) }
      let found: number
      do {
        signal?.throwIfAborted()
        found = await transact(deps.database.db, async (tx) => {
          const due = await claimDigests(tx, within)
          await deps.outbox.append(tx, due.map(digestDue))
          return due.length
        })
      } while (isFullClaim(found))
    },
  })
