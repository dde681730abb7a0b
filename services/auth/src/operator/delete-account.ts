import type { Login, NamedAccount } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Closings } from '../accounts/deletions/index.ts'
import type { Logins } from '../logins/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'

type Given = { logins: Logins; closings: Closings; statuses: { accounts: Client<AccountsDefinition> } }

/** Deletes somebody's account, as they could themselves. Answers with what the login was. @throws Failure not_found */
export const deleteAccount =
  (given: Given) =>
  async (call: Call, { username }: NamedAccount): Promise<Login> => {
    const account = await findAccount(given.statuses.accounts, call, username)
    const login = orNotFound(await given.logins.find(account.id), `no login ${account.id}`)
    await given.closings.close(account.id)
    return loginMessage(login, account.username)
  }
