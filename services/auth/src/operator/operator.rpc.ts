import { LoginOperatorDefinition } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AccountDeletions } from '../accounts/deletions/index.ts'
import type { Registrations } from '../accounts/registrations/index.ts'
import type { Passwords } from '../credentials/passwords/index.ts'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import type { SecurityEmails } from '../mail/security-emails/index.ts'
import type { Apps } from '../oauth/apps/index.ts'
import type { Sessions } from '../oauth/provider/index.ts'
import type { Tokens } from '../oauth/tokens/index.ts'
import { createAccount } from './create-account.ts'
import { deleteAccount } from './delete-account.ts'
import { approveSignUp, rejectSignUp } from './judge-sign-up.ts'
import { listAccounts } from './list-accounts.ts'
import { readAccount } from './read-account.ts'
import { resetPassword } from './reset-password.ts'
import { revokeToken } from './revoke-token.ts'
import { setDisabled } from './set-disabled.ts'
import { setMemorial, setSilenced, setSuspended } from './set-moderation-state.ts'
import { setRole } from './set-role.ts'

type Deps = {
  database: Database<AuthTables>
  clock: Clock
  statuses: { accounts: Client<AccountsDefinition> }
  logins: Logins
  registrations: Registrations
  apps: Apps
  tokens: Tokens
  sessions: Sessions
  passwords: Passwords
  deletions: AccountDeletions
  securityEmails: SecurityEmails
  canSendMail: boolean
}

/** The service LoginOperator of the contract, for the machine's own socket only. */
export const operatorRpc = (deps: Deps): Handler =>
  handler(LoginOperatorDefinition, {
    createAccount: createAccount(deps),
    listAccounts: listAccounts(deps),
    setDisabled: setDisabled(deps),
    setSilenced: setSilenced(deps),
    setSuspended: setSuspended(deps),
    setMemorial: setMemorial(deps),
    revokeToken: revokeToken(deps),
    readAccount: readAccount(deps),
    setRole: setRole(deps),
    resetPassword: resetPassword(deps),
    deleteAccount: deleteAccount(deps),
    approve: approveSignUp(deps),
    reject: rejectSignUp(deps),
  })
