import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { idAtTime } from '@rookery/ids'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { removeIfStill } from '../statuses/index.ts'
import { findUnreferenced, readFound, stillUnreferenced } from './unreferenced.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; config: { remoteStatusDays: number } }

const DAY = 86_400_000
/** Statuses that one run looks at, and removes at most: the cost of a run does not grow with the table. */
const LOOKED_AT = 5000
const REMOVED = 2000
/** Statuses removed in one transaction. */
const TOGETHER = 50
/** The time from finding a status unreferenced to removing it: someone may just have looked it up. */
const GRACE = 3 * DAY

/**
 * Removes statuses of other servers that are older than `REMOTE_STATUS_DAYS` and unreferenced: a run looks at some, and removes those that it found
 * days ago and that are still unreferenced. If it is interrupted, the next run continues.
 */
export const removeUnreferencedJob = (deps: Deps): Job =>
  job({
    name: 'remove-unreferenced-statuses',
    lane: 'bulk',
    cron: '*/10 * * * *',
    run: async (_payload, signal) => {
      const { database, outbox, clock, config } = deps
      if (config.remoteStatusDays === 0) return
      const now = clock.now()
      const before = idAtTime(now - config.remoteStatusDays * DAY)
      await findUnreferenced(database, { before, limit: LOOKED_AT, now: new Date(now) })
      for (const { authorId, ids } of await readFound(database, { before: new Date(now - GRACE), limit: REMOVED })) {
        for (let first = 0; first < ids.length; first += TOGETHER) {
          signal?.throwIfAborted()
          const some = ids.slice(first, first + TOGETHER)
          await removeIfStill({ database, outbox }, { ids: some, authorId }, (tx) => stillUnreferenced(tx, { ids: some, before }))
        }
      }
    },
  })
