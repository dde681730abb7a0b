import { type Database, transact } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader, localUsername } from '../accounts/index.ts'
import { handleFault, MOST_ALIASES } from './move.rules.ts'
import { MoveWriter } from './move.store.ts'

type Given = { database: Database<StatusesTables>; baseUrl: string }

/** The account of a handle. @throws Failure invalid for a handle nobody here has */
export const accountNamed = async ({ database, baseUrl }: Given, acct: string): Promise<string> => {
  const username = localUsername(acct, baseUrl)
  const id = username === undefined ? undefined : await new AccountReader(database.db).idOf(username)
  if (id === undefined) throw handleFault('ERR_UNKNOWN')
  return id
}

/** Says that another account is the same person, so that it can move here; again changes nothing. @throws Failure invalid */
export const addAlias =
  (given: Given) =>
  async ({ accountId, acct }: { accountId: string; acct: string }): Promise<void> => {
    const aliasId = await accountNamed(given, acct)
    if (aliasId === accountId) throw handleFault('ERR_SELF')
    await transact(given.database.db, async (tx) => {
      const moves = new MoveWriter(tx)
      await moves.lock([accountId, aliasId])
      if (!(await moves.destination(aliasId, accountId))) throw handleFault('ERR_UNKNOWN')
      if ((await moves.countAliases(accountId)) >= MOST_ALIASES) throw handleFault('ERR_TOO_MANY')
      await moves.addAlias(accountId, aliasId)
    })
  }

/** Says so no more; also when it was not said. Who moved here by it stays moved. */
export const removeAlias =
  ({ database }: Given) =>
  ({ accountId, aliasId }: { accountId: string; aliasId: string }): Promise<void> =>
    transact(database.db, (tx) => new MoveWriter(tx).removeAlias(accountId, aliasId))
