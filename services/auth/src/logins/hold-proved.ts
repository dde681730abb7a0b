import { type Database, type Tx, transact } from '@rookery/database'
import { Failure, orNotFound } from '@rookery/failures'
import type { AuthTables } from '../database/schema.ts'
import { isStillProved, type Proved } from './login.rules.ts'
import { type Login, LoginWriter } from './login.store.ts'

/** Refuses an act whose proof no longer counts. @throws Failure conflict */
export const refuseOutdated = (login: Login, proved: Proved): void => {
  if (!isStillProved(login, proved)) throw new Failure('conflict', `login ${proved.accountId} was changed since it was proved`)
}

/**
 * Locks a login until the transaction ends, and returns it: for acts that need the password, which may be replaced between its proof and the act.
 * @throws Failure conflict if it was, or if the login is no longer active; not_found
 */
export const holdProved = async (tx: Tx<AuthTables>, proved: Proved): Promise<Login> => {
  const login = orNotFound(await new LoginWriter(tx).lock(proved.accountId), `no login ${proved.accountId}`)
  refuseOutdated(login, proved)
  return login
}

/**
 * For acts in another service, which no transaction here can hold: waits for a change of the login that is under way, and refuses the act if
 * its proof no longer counts. @throws Failure conflict, not_found as `holdProved`
 */
export const ensureProved =
  ({ database }: { database: Database<AuthTables> }) =>
  async (proved: Proved): Promise<void> =>
    void (await transact(database.db, (tx) => holdProved(tx, proved)))
