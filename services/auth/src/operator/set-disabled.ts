import type { Login, SetDisabledRequest } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Logins; statuses: { accounts: Client<AccountsDefinition> } }

/** Disables or enables a login; tokens stay, but are refused while it is disabled. @throws Failure not_found */
export const setDisabled =
  (deps: Deps) =>
  async (call: Call, { username, isDisabled }: SetDisabledRequest): Promise<Login> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    const now = new Date(deps.clock.now())
    const login = await transact(deps.database.db, (tx) =>
      deps.logins.changeState(tx, account.id, ({ disabledAt }) => ({ disabledAt: isDisabled ? (disabledAt ?? now) : null })),
    )
    return loginMessage(login, account.username)
  }
