import type { Login, NamedAccount } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { AccountDeletions } from '../accounts/deletions/index.ts'
import type { Logins } from '../logins/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'

type Deps = { logins: Logins; deletions: AccountDeletions; statuses: { accounts: Client<AccountsDefinition> } }

/** Deletes someone's account, as they could themselves. Returns what the login was. @throws Failure not_found */
export const deleteAccount =
  (deps: Deps) =>
  async (call: Call, { username }: NamedAccount): Promise<Login> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    const login = orNotFound(await deps.logins.find(account.id), `no login ${account.id}`)
    await deps.deletions.close(account.id)
    return loginMessage(login, account.username)
  }
