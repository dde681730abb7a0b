import type { Login, SetLoginRoleRequest } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'
import { roleOf } from './role.rules.ts'

type Deps = { database: Database<AuthTables>; logins: Logins; statuses: { accounts: Client<AccountsDefinition> } }

/** Gives someone another role. It counts with their next request; their profile shows it soon after. @throws Failure invalid, not_found */
export const setRole =
  (deps: Deps) =>
  async (call: Call, request: SetLoginRoleRequest): Promise<Login> => {
    const role = roleOf(request.role)
    const account = await findAccount(deps.statuses.accounts, call, request.username)
    const login = await transact(deps.database.db, (tx) => deps.logins.changeState(tx, account.id, () => ({ role })))
    return loginMessage(login, account.username)
  }
