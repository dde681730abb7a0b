import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { idAtTime } from '@rookery/ids'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { removeStatuses, StatusWriter } from '../statuses/index.ts'
import { type DuePolicy, movePolicy, readDue, readUnkept, stillUnkept } from './deletion-policy.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; baseUrl: string }

const HOUR = 3_600_000
/** Accounts of a run. */
const ACCOUNTS = 100
/** Statuses of an account that a run looks at: all of them may be deleted, each with deliveries to other servers. */
const LOOKED_AT = 50

/** Deletes those statuses of an account that its policy still does not keep. Files are deleted at once. */
const deleteUnkept = async ({ database, outbox, baseUrl }: Deps, accountId: string, ids: readonly string[]): Promise<void> =>
  transact(database.db, async (tx) => {
    // After this, none of them can be pinned, favourited or bookmarked until the transaction ends.
    await new StatusWriter(tx).lock(ids, accountId)
    const still = await stillUnkept(tx, { accountId, ids })
    if (still.length > 0) await removeStatuses({ outbox, baseUrl }, tx, { ids: still, authorId: accountId, deleteMedia: true })
  })

const workOne = async (deps: Deps, policy: DuePolicy): Promise<void> => {
  const now = deps.clock.now()
  const before = idAtTime(now - policy.days * 24 * HOUR)
  const [found] = await readUnkept(deps.database, { accountId: policy.accountId, after: policy.afterId, before, limit: LOOKED_AT })
  if (!found) return
  if (found.ids.length > 0) await deleteUnkept(deps, policy.accountId, found.ids)
  // At the end it begins again, an hour later: more statuses are old by then, or not favourited any more.
  const next = { afterId: found.last ?? '0', dueAt: new Date(found.last === null ? now + HOUR : now) }
  await transact(deps.database.db, (tx) => movePolicy(tx, { from: policy, ...next }))
}

/**
 * Deletes old statuses of those who chose it. Each run looks at some statuses of some accounts, whose turn is longest due, so that its cost does not
 * grow with theirs. If it is interrupted, the next run continues.
 */
export const deleteOldStatusesJob = (deps: Deps): Job =>
  job({
    name: 'delete-old-statuses',
    lane: 'bulk',
    cron: '*/5 * * * *',
    run: async (_payload, signal) => {
      for (const policy of await readDue(deps.database, { now: new Date(deps.clock.now()), limit: ACCOUNTS })) {
        signal?.throwIfAborted()
        await workOne(deps, policy)
      }
    },
  })
