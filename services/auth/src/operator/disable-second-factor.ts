import type { Login, NamedAccount } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import type { Call, Client } from '@rookery/rpc'
import type { SecondFactors } from '../credentials/second-factors/index.ts'
import type { AccountActs } from '../moderation/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'

type Deps = { secondFactors: SecondFactors; acts: AccountActs; statuses: { accounts: Client<AccountsDefinition> } }

/**
 * Turns off the second factor of a person who lost both the authenticator and the recovery codes, and logs it. @throws Failure not_found
 */
export const disableSecondFactor =
  (deps: Deps) =>
  async (call: Call, { username }: NamedAccount): Promise<Login> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    const login = await deps.secondFactors.turnOff({ accountId: account.id }, (tx) =>
      deps.acts.record(tx, 'disable_second_factor', { accountId: account.id }),
    )
    return loginMessage(login, account.username)
  }
