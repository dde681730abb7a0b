import { type Database, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { hashPassword } from '../../logins/index.ts'
import { type ReplaceDeps, replacePassword } from './replace-password.ts'

/** Changes the password of an account that has proved the old one; ends all its sign-ins, tokens and streams. @throws Failure not_found */
export const changePassword =
  (deps: ReplaceDeps & { database: Database<AuthTables> }) =>
  async (accountId: string, password: string): Promise<void> => {
    const passwordHash = await hashPassword(password)
    await transact(deps.database.db, (tx) => replacePassword(deps, tx, accountId, passwordHash))
  }
