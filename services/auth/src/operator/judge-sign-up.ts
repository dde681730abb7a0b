import type { Login, NamedAccount } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { Failure, orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AccountDeletions } from '../accounts/deletions/index.ts'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import type { SecurityEmails } from '../mail/security-emails/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'

type Deps = {
  database: Database<AuthTables>
  clock: Clock
  logins: Logins
  deletions: AccountDeletions
  securityEmails: SecurityEmails
  statuses: { accounts: Client<AccountsDefinition> }
}

/** Lets someone in who waits for approval, and tells them; again, or for someone who is in, it changes nothing. @throws Failure not_found */
export const approveSignUp =
  (deps: Deps) =>
  async (call: Call, { username }: NamedAccount): Promise<Login> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    const approvedAt = new Date(deps.clock.now())
    const login = await transact(deps.database.db, async (tx) => {
      let wasWaiting = false
      const after = await deps.logins.changeState(tx, account.id, (before) => {
        wasWaiting = before.approvedAt === null
        return wasWaiting ? { approvedAt } : {}
      })
      if (wasWaiting) await deps.securityEmails.send(tx, { to: after.email, locale: after.locale, kind: 'approved' })
      return after
    })
    return loginMessage(login, account.username)
  }

/**
 * Turns away someone who waits for approval, and tells them: nothing of the sign-up stays.
 * @throws Failure forbidden for someone who is in already, not_found
 */
export const rejectSignUp =
  (deps: Deps) =>
  async (call: Call, { username }: NamedAccount): Promise<Login> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    const login = orNotFound(await deps.logins.find(account.id), `no login ${account.id}`)
    if (login.approvedAt) throw new Failure('forbidden', `The account ${account.username} does not wait for approval`)
    await deps.deletions.close(account.id, 'rejected')
    return loginMessage(login, account.username)
  }
