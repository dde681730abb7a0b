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

/** What follows from a move, besides the followers who go along. */
const accountMoved = (accountId: string, targetId: string): OutboxEvent => ({
  key: accountId,
  event: { $case: 'accountMoved', value: { accountId, targetId } },
})

/**
 * Moves someone of this server or another to an account that must have named theirs.
 * @throws Failure invalid, not_found for an account that is gone
 */
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
 * Moves someone to another account, which must have named this one: every view of this one shows the other from the commit on, no one can
 * post here or begin to follow it, and a job has its followers follow the other.
 * @throws Failure invalid, not_found for an account that is gone
 */
export const moveAccount =
  (deps: Deps) =>
  async ({ accountId, acct }: { accountId: string; acct: string }): Promise<void> => {
    await moveWithin(deps, { accountId, otherId: await accountNamed(deps, acct) })
  }

/** Takes a move back; also when there was none. Followers who came along stay with the other account. */
export const undoMove =
  ({ database, outbox }: Deps) =>
  ({ accountId }: { accountId: string }): Promise<void> =>
    transact(database.db, async (tx) => {
      if (await new MoveWriter(tx).setDestination(accountId, null)) await outbox.append(tx, [profileChanged(accountId)])
    })
