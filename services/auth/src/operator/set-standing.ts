import type { Login, SetSilencedRequest, SetSuspendedRequest } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'
import { setDisabled } from './set-disabled.ts'

type Given = { database: Database<AuthTables>; clock: Clock; logins: Logins; statuses: { accounts: Client<AccountsDefinition> } }

/** Silences somebody or takes it back (beyond-the-spec 1.15). @throws Failure not_found */
export const setSilenced =
  (given: Given) =>
  async (call: Call, { username, isSilenced }: SetSilencedRequest): Promise<Login> => {
    const account = await findAccount(given.statuses.accounts, call, username)
    await given.statuses.accounts.setStanding(call, { id: account.id, isSilenced })
    return loginMessage(orNotFound(await given.logins.find(account.id)), account.username)
  }

/**
 * Suspends somebody or takes it back, which both owners note: statuses hides them, then their login is disabled here. Each step may be
 * repeated (beyond-the-spec 1.15). @throws Failure not_found
 */
export const setSuspended = (given: Given) => {
  const disable = setDisabled(given)
  return async (call: Call, { username, isSuspended }: SetSuspendedRequest): Promise<Login> => {
    const account = await findAccount(given.statuses.accounts, call, username)
    await given.statuses.accounts.setStanding(call, { id: account.id, isSuspended })
    return disable(call, { username: account.username, isDisabled: isSuspended })
  }
}
