import type { ListAccountsRequest, LoginList } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Call, Client } from '@rookery/rpc'
import type { Logins } from '../logins/index.ts'
import { loginMessage } from './login.message.ts'

type Deps = { logins: Logins; statuses: { accounts: Client<AccountsDefinition> } }

const USUAL_LIMIT = 100

/** A page of logins, newest first, with their usernames: one statement and one call. */
export const listAccounts =
  (deps: Deps) =>
  async (call: Call, { page }: ListAccountsRequest): Promise<LoginList> => {
    const logins = await deps.logins.list({ ...page, limit: page?.limit || USUAL_LIMIT })
    const { accounts } = await deps.statuses.accounts.readUsernames(call, { ids: logins.map((login) => login.accountId) })
    const usernames = new Map(accounts.map((account) => [account.id, account.username]))
    return { logins: logins.map((login) => loginMessage(login, usernames.get(login.accountId) ?? '')) }
  }
