import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader, handleIn, profileChanged } from '../accounts/index.ts'
import { handleFault, MAX_ALIASES } from './move.rules.ts'
import { MoveWriter } from './move.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; baseUrl: string }

/** The known account with a handle, local or remote. @throws Failure invalid for an unknown handle */
export const accountNamed = async ({ database, baseUrl }: Pick<Deps, 'database' | 'baseUrl'>, acct: string): Promise<string> => {
  const handle = handleIn(acct, baseUrl)
  const id = handle && (await new AccountReader(database.db).idOf(handle))
  if (id === undefined) throw handleFault('ERR_UNKNOWN')
  return id
}

/** Adds an alias, so that it can move to this account; idempotent. @throws Failure invalid */
export const addAlias =
  (deps: Deps) =>
  async ({ accountId, acct }: { accountId: string; acct: string }): Promise<void> => {
    const aliasId = await accountNamed(deps, acct)
    if (aliasId === accountId) throw handleFault('ERR_SELF')
    await transact(deps.database.db, async (tx) => {
      const moves = new MoveWriter(tx)
      await moves.lock([accountId, aliasId])
      if (!(await moves.destination(aliasId, accountId))) throw handleFault('ERR_UNKNOWN')
      if ((await moves.countAliases(accountId)) >= MAX_ALIASES) throw handleFault('ERR_TOO_MANY')
      if (await moves.addAlias(accountId, aliasId)) await deps.outbox.append(tx, [profileChanged(accountId)])
    })
  }

/** Removes an alias, if there is one. Accounts that moved here stay moved. */
export const removeAlias =
  ({ database, outbox }: Pick<Deps, 'database' | 'outbox'>) =>
  ({ accountId, aliasId }: { accountId: string; aliasId: string }): Promise<void> =>
    transact(database.db, async (tx) => {
      if (await new MoveWriter(tx).removeAlias(accountId, aliasId)) await outbox.append(tx, [profileChanged(accountId)])
    })
