import { LoginOperatorDefinition } from '@rookery/contracts/auth'
import type { AccountsDefinition, ModerationDefinition, StaffStatusesDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { Registrations } from '../accounts/registrations/index.ts'
import type { Passwords } from '../credentials/passwords/index.ts'
import type { SecondFactors } from '../credentials/second-factors/index.ts'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import type { AccountActs } from '../moderation/index.ts'
import { listActs } from '../moderation/index.ts'
import type { Apps } from '../oauth/apps/index.ts'
import type { Sessions } from '../oauth/provider/index.ts'
import type { Tokens } from '../oauth/tokens/index.ts'
import { accountActs } from './act-on-account.ts'
import { actOnStatuses } from './act-on-statuses.ts'
import { createAccount } from './create-account.ts'
import { disableSecondFactor } from './disable-second-factor.ts'
import { listAccounts } from './list-accounts.ts'
import { readAccount } from './read-account.ts'
import { resetPassword } from './reset-password.ts'
import { revokeToken } from './revoke-token.ts'

type Deps = {
  database: Database<AuthTables>
  statuses: {
    accounts: Client<AccountsDefinition>
    moderation: Client<ModerationDefinition>
    staffStatuses: Client<StaffStatusesDefinition>
  }
  logins: Logins
  acts: AccountActs
  registrations: Registrations
  apps: Apps
  tokens: Tokens
  sessions: Sessions
  passwords: Passwords
  secondFactors: SecondFactors
  canSendMail: boolean
}

/** The service LoginOperator of the contract, served only on the local operator socket. */
export const createOperatorRpc = (deps: Deps): Handler =>
  handler(LoginOperatorDefinition, {
    ...accountActs(deps),
    actOnStatuses: actOnStatuses(deps),
    createAccount: createAccount(deps),
    disableSecondFactor: disableSecondFactor(deps),
    listAccounts: listAccounts(deps),
    listActs: listActs(deps),
    revokeToken: revokeToken(deps),
    readAccount: readAccount(deps),
    resetPassword: resetPassword(deps),
  })
