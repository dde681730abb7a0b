import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { hashPassword } from '../../logins/index.ts'
import { digestOf } from '../../secrets.ts'
import type { Passkeys } from '../passkeys/index.ts'
import { type ReplaceDeps, replacePassword } from './replace-password.ts'
import { ResetReader, ResetWriter } from './reset.store.ts'

type Deps = ReplaceDeps & { database: Database<AuthTables>; clock: Clock; passkeys: Pick<Passkeys, 'removeOf'> }

/**
 * Sets a password by a link, once. Passkeys are removed: the link may serve to take back a login that another person controlled. Returns
 * whether the link was valid. The caller has checked the password.
 */
export const resetPassword =
  (deps: Deps) =>
  async (token: string, password: string): Promise<boolean> => {
    // Hashing is expensive, so invalid links are refused before.
    if ((await new ResetReader(deps.database.db).find(digestOf(token), new Date(deps.clock.now()))) === undefined) return false
    const passwordHash = await hashPassword(password)
    return transact(deps.database.db, async (tx) => {
      const accountId = await new ResetWriter(tx).take(digestOf(token), new Date(deps.clock.now()))
      if (accountId === undefined) return false
      // Locks the login first: a passkey that is being added meanwhile is removed, or not added.
      await replacePassword(deps, tx, accountId, passwordHash)
      await deps.passkeys.removeOf(tx, accountId)
      return true
    })
  }
