import { type Database, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { hashPassword, type Proved } from '../../logins/index.ts'
import { type ReplaceDeps, replacePassword } from './replace-password.ts'

/**
 * Changes the password of a person who has proved the old one; ends all their sign-ins, tokens and streams.
 * @throws Failure conflict as `holdProved`
 */
export const changePassword =
  (deps: ReplaceDeps & { database: Database<AuthTables> }) =>
  async (proved: Proved, password: string): Promise<void> => {
    const passwordHash = await hashPassword(password)
    await transact(deps.database.db, async (tx) => {
      const { accountId } = await deps.logins.holdProved(tx, proved)
      await replacePassword(deps, tx, accountId, passwordHash)
    })
  }
