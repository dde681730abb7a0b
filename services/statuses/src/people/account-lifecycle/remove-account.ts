import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { removeReactionsOf } from '../../posts/announcements/index.ts'
import { InteractionWriter } from '../../posts/interactions/index.ts'
import { removeStatuses } from '../../posts/statuses/index.ts'
import { relationshipsSevered } from '../graph/index.ts'
import { accountEmptied, accountRemoved } from './account-lifecycle.events.ts'
import { RemovalReader, RemovalWriter } from './removal.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

/** Removes a batch of one kind of an account's data, and returns its size; 0 once there is none left. */
type Step = (accountId: string) => Promise<number>

/** Parents and boosted statuses are locked until the transaction ends, and others may wait for them: batches are smaller than those of other rows. */
const removeSomeStatuses =
  ({ database, outbox }: Deps): Step =>
  async (accountId) => {
    const ids = await new RemovalReader(database.db).statuses(accountId)
    if (ids.length > 0) await transact(database.db, (tx) => removeStatuses({ outbox }, tx, { ids, authorId: accountId, deleteMedia: true }))
    return ids.length
  }

const removeFavourites = async (tx: Tx<StatusesTables>, accountId: string) => {
  const writer = new InteractionWriter(tx)
  const statusIds = await new RemovalWriter(tx).favourited(accountId)
  if (statusIds.length === 0) return 0
  await writer.lock(statusIds)
  const removed = await writer.removeFavourites(statusIds.map((statusId) => ({ accountId, statusId })))
  return removed.length
}

/** Ends a batch of follows. The other accounts are notified if staff suspended this account before it was deleted (beyond-the-spec 1.1). */
const endFollows = async (
  { outbox }: Deps,
  { writer, tx }: { writer: RemovalWriter; tx: Tx<StatusesTables> },
  { accountId, direction }: { accountId: string; direction: 'following' | 'followers' },
): Promise<number> => {
  const others = await writer.endFollows(accountId, direction)
  const targetName = others.length > 0 ? await writer.suspended(accountId) : undefined
  if (targetName === undefined) return others.length
  const isFollower = direction === 'following'
  const lost = { followersCount: Number(isFollower), followingCount: Number(!isFollower) }
  // One id per direction: a follow each way is two losses.
  const id = isFollower ? accountId : String(BigInt(accountId) + 1n)
  const severance = { id, type: 'account_suspension', targetName } as const
  await outbox.append(
    tx,
    relationshipsSevered(
      severance,
      others.map((other) => ({ accountId: other, ...lost })),
    ),
  )
  return others.length
}

const stepsOf = (deps: Deps): Step[] => {
  const step =
    (remove: (writer: RemovalWriter, accountId: string, tx: Tx<StatusesTables>) => Promise<number>): Step =>
    (accountId) =>
      transact(deps.database.db, (tx) => remove(new RemovalWriter(tx), accountId, tx))
  return [
    step((_writer, accountId, tx) => removeFavourites(tx, accountId)),
    step((_writer, accountId, tx) => removeReactionsOf(deps, tx, accountId)),
    step((writer, accountId, tx) => endFollows(deps, { writer, tx }, { accountId, direction: 'following' })),
    step((writer, accountId, tx) => endFollows(deps, { writer, tx }, { accountId, direction: 'followers' })),
    step((writer, accountId) => writer.withdrawRequests(accountId)),
    step((writer, accountId) => writer.endMentions(accountId)),
    step((writer, accountId) => writer.removeOwn(accountId, 'bookmark')),
    step((writer, accountId) => writer.removeOwn(accountId, 'feed')),
  ]
}

const repeat = async (step: Step, accountId: string, signal: AbortSignal | undefined) => {
  while ((await step(accountId)) > 0) signal?.throwIfAborted()
}

/**
 * Deletes the statuses of a closed account, in batches, each a transaction with its events; then publishes that there are none. The remaining data is
 * the only record of progress, so that it can stop anywhere, as when `signal` aborts, and be repeated.
 */
export const emptyAccount = (deps: Deps) => {
  const step = removeSomeStatuses(deps)
  return async (accountId: string, signal?: AbortSignal): Promise<void> => {
    await repeat(step, accountId, signal)
    await transact(deps.database.db, (tx) => deps.outbox.append(tx, [accountEmptied(accountId)]))
  }
}

/**
 * Removes a closed account that has no statuses: large data in batches, the account last; can stop anywhere, too. Returns whether the account was
 * deleted.
 */
export const removeAccount = (deps: Deps) => {
  const steps = stepsOf(deps)
  return async (accountId: string, signal?: AbortSignal): Promise<boolean> => {
    for (const step of steps) await repeat(step, accountId, signal)
    return transact(deps.database.db, async (tx) => {
      const isGone = await new RemovalWriter(tx).remove(accountId)
      if (isGone) await deps.outbox.append(tx, [accountRemoved(accountId)])
      return isGone
    })
  }
}
