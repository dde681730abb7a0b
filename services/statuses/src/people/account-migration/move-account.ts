import { type Database, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { refuseMove } from './move.rules.ts'
import { MoveWriter } from './move.store.ts'
import { requestFollowers } from './move-followers.job.ts'
import { accountNamed } from './name-alias.ts'

type Deps = { database: Database<StatusesTables>; baseUrl: string }

/**
 * Moves someone to another account, which must have named this one: every view of this one shows the other from the commit on, no one can
 * post here or begin to follow it, and a job has its followers follow the other.
 * @throws Failure invalid, not_found for an account that is gone
 */
export const moveAccount =
  (deps: Deps) =>
  async ({ accountId, acct }: { accountId: string; acct: string }): Promise<void> => {
    const otherId = await accountNamed(deps, acct)
    await transact(deps.database.db, async (tx) => {
      const moves = new MoveWriter(tx)
      await moves.lock([accountId, otherId])
      const { id } = refuseMove(accountId, await moves.destination(otherId, accountId))
      orNotFound((await moves.setDestination(accountId, id)) || undefined, `no account ${accountId}`)
      await requestFollowers(tx, accountId)
    })
  }

/** Takes a move back; also when there was none. Followers who came along stay with the other account. */
export const undoMove =
  ({ database }: Deps) =>
  ({ accountId }: { accountId: string }): Promise<void> =>
    transact(database.db, async (tx) => {
      await new MoveWriter(tx).setDestination(accountId, null)
    })
