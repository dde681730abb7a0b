import { type Database, transact } from '@rookery/database'
import type { Outbox, OutboxEvent } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { profileChanged } from '../accounts/index.ts'
import { refuseMove } from './move.rules.ts'
import { MoveWriter } from './move.store.ts'
import { requestFollowers } from './move-followers.job.ts'
import { accountNamed } from './name-alias.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; baseUrl: string }

/** An account moved to another. */
const accountMoved = (accountId: string, targetId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'accountMoved', value: { accountId, targetId } },
})

/** Moves a local or remote account to one that names it as an alias. @throws Failure invalid; not_found for a deleted account */
export const moveWithin = async (
  { database, outbox }: Pick<Deps, 'database' | 'outbox'>,
  { accountId, otherId }: { accountId: string; otherId: string },
): Promise<void> => {
  await transact(database.db, async (tx) => {
    const moves = new MoveWriter(tx)
    await moves.lock([accountId, otherId])
    const { id } = refuseMove(accountId, await moves.destination(otherId, accountId))
    const { isRemote } = orNotFound(await moves.setDestination(accountId, id), `no account ${accountId}`)
    await requestFollowers(tx, accountId)
    if (!isRemote) await outbox.append(tx, [accountMoved(accountId, id)])
  })
}

/**
 * Moves an account to another, which must name it as an alias: from the commit on every view of it shows the other, it can no longer post or gain
 * followers, and a job has its followers follow the other.
 * @throws Failure invalid; not_found for a deleted account
 */
export const moveAccount =
  (deps: Deps) =>
  async ({ accountId, acct }: { accountId: string; acct: string }): Promise<void> => {
    await moveWithin(deps, { accountId, otherId: await accountNamed(deps, acct) })
  }

/** Undoes a move, if there is one. Followers who moved along stay with the other account, so that all servers learn of it. */
export const undoMove =
  ({ database, outbox }: Deps) =>
  ({ accountId }: { accountId: string }): Promise<void> =>
    transact(database.db, async (tx) => {
      const moves = new MoveWriter(tx)
      await moves.lock([accountId])
      if (!(await moves.movedTo(accountId)) || !(await moves.setDestination(accountId, null))) return
      await outbox.append(tx, [profileChanged(accountId, { isForAll: true })])
    })
