import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { idAtTime } from '@rookery/ids'
import { type Job, job } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { removeIfStill } from '../statuses/index.ts'
import { type DuePolicy, movePolicy, readDue, readUnkept, stillUnkept } from './deletion-policy.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; baseUrl: string }

const HOUR = 3_600_000
/** Accounts of a run. */
const ACCOUNTS = 100
/** Statuses of an account that a run looks at: all of them may be deleted, each with deliveries to other servers. */
const LOOKED_AT = 50

const workOne = async (deps: Deps, policy: DuePolicy, signal: AbortSignal | undefined): Promise<void> => {
  const { accountId, afterId: after, days } = policy
  const now = deps.clock.now()
  const [found] = await readUnkept(deps.database, { accountId, after, before: idAtTime(now - days * 24 * HOUR), limit: LOOKED_AT })
  if (!found) return
  // One after the other: each may have many boosts, which are deleted in the same transaction.
  for (const id of found.ids) {
    signal?.throwIfAborted()
    await removeIfStill(deps, { ids: [id], authorId: accountId }, (tx) => stillUnkept(tx, { accountId, id }))
  }
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
      const due = await readDue(deps.database, { now: new Date(deps.clock.now()), limit: ACCOUNTS })
      for (const policy of due) await workOne(deps, policy, signal)
    },
  })
