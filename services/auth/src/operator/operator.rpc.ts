import { LoginOperatorDefinition } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { type Client, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { Apps } from '../apps/index.ts'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import type { Registrations } from '../registrations/index.ts'
import type { Tokens } from '../tokens/index.ts'
import { createAccount } from './create-account.ts'
import { listAccounts } from './list-accounts.ts'
import { revokeToken } from './revoke-token.ts'
import { setDisabled } from './set-disabled.ts'

type Given = {
  database: Database<AuthTables>
  clock: Clock
  statuses: { accounts: Client<AccountsDefinition> }
  logins: Logins
  registrations: Registrations
  apps: Apps
  tokens: Tokens
}

/** The service LoginOperator of the contract, for the machine's own socket only. */
export const operatorRpc = (given: Given): Handler =>
  handler(LoginOperatorDefinition, {
    createAccount: createAccount(given),
    listAccounts: listAccounts(given),
    setDisabled: setDisabled(given),
    revokeToken: revokeToken(given),
  })
