import type { Login, SetMemorialRequest, SetSilencedRequest, SetSuspendedRequest } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { Logins } from '../logins/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Logins; statuses: { accounts: Client<AccountsDefinition> } }

/** Silences someone or takes it back (beyond-the-spec 1.15). @throws Failure not_found */
export const setSilenced =
  (deps: Deps) =>
  async (call: Call, { username, isSilenced }: SetSilencedRequest): Promise<Login> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    await deps.statuses.accounts.setStanding(call, { id: account.id, isSilenced })
    return loginMessage(orNotFound(await deps.logins.find(account.id)), account.username)
  }

/** What both owners note of someone: statuses shows it, then their login is shut out here or let in. Each step may be repeated. */
const setBoth =
  (deps: Deps, noted: { state: 'isSuspended' | 'isMemorial'; moment: 'suspendedAt' | 'memorialAt' }) =>
  async (call: Call, username: string, isSet: boolean): Promise<Login> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    await deps.statuses.accounts.setStanding(call, { id: account.id, [noted.state]: isSet })
    const now = new Date(deps.clock.now())
    const login = await transact(deps.database.db, (tx) =>
      deps.logins.changeState(tx, account.id, (before) => ({ [noted.moment]: isSet ? (before[noted.moment] ?? now) : null })),
    )
    return loginMessage(login, account.username)
  }

/** Suspends someone or takes it back (beyond-the-spec 1.15); a login that is disabled besides stays so. @throws Failure not_found */
export const setSuspended = (deps: Deps) => {
  const set = setBoth(deps, { state: 'isSuspended', moment: 'suspendedAt' })
  return (call: Call, { username, isSuspended }: SetSuspendedRequest) => set(call, username, isSuspended)
}

/** Marks someone as having died or takes it back (beyond-the-spec 1.1, memorial): no one signs in as them. @throws Failure not_found */
export const setMemorial = (deps: Deps) => {
  const set = setBoth(deps, { state: 'isMemorial', moment: 'memorialAt' })
  return (call: Call, { username, isMemorial }: SetMemorialRequest) => set(call, username, isMemorial)
}
