import type { PasswordReset, ResetPasswordRequest } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Passwords } from '../credentials/passwords/index.ts'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import { findAccount } from './find-account.ts'

const LINK_LIVES_MILLISECONDS = 24 * 3600 * 1000

type Deps = {
  database: Database<AuthTables>
  logins: Logins
  passwords: Passwords
  canSendMail: boolean
  statuses: { accounts: Client<AccountsDefinition> }
}

/**
 * Creates a single-use link that sets an account's password, or mails one. Nothing changes until it is used.
 * @throws Failure invalid, not_found
 */
export const resetPassword =
  (deps: Deps) =>
  async (call: Call, { username, byMail }: ResetPasswordRequest): Promise<PasswordReset> => {
    if (byMail && !deps.canSendMail) throw invalid('This server sends no mail')
    const account = await findAccount(deps.statuses.accounts, call, username)
    const { email } = orNotFound(await deps.logins.find(account.id), `no login ${account.id}`)
    const link = await transact(deps.database.db, async (tx) => {
      if (!byMail) return deps.passwords.makeLink(tx, account.id, LINK_LIVES_MILLISECONDS)
      await deps.passwords.sendLink(tx, email.toLowerCase())
      return ''
    })
    return { link }
  }
