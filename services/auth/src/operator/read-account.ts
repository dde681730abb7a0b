import type { LoginDetails, NamedAccount } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { orNotFound } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { SecondFactors } from '../credentials/second-factors/index.ts'
import type { Logins } from '../logins/index.ts'
import type { Sessions } from '../oauth/provider/index.ts'
import type { Tokens } from '../oauth/tokens/index.ts'
import { findAccount } from './find-account.ts'
import { loginMessage } from './login.message.ts'

type Deps = {
  logins: Logins
  secondFactors: SecondFactors
  tokens: Tokens
  sessions: Sessions
  statuses: { accounts: Client<AccountsDefinition> }
}

/** Reads a login with all its details. @throws Failure not_found */
export const readAccount =
  (deps: Deps) =>
  async (call: Call, { username }: NamedAccount): Promise<LoginDetails> => {
    const account = await findAccount(deps.statuses.accounts, call, username)
    const [login, details, apps, browsers, hasSecondFactor] = await Promise.all([
      deps.logins.find(account.id),
      deps.logins.details(account.id),
      deps.tokens.appsOf(account.id),
      deps.sessions.list(account.id),
      deps.secondFactors.isOn(account.id),
    ])
    const { reason, lastSignInAt } = orNotFound(details, `no login ${account.id}`)
    const found = orNotFound(login, `no login ${account.id}`)
    return {
      login: loginMessage(found, account.username),
      reason,
      locale: found.locale,
      lastSignInAtMilliseconds: lastSignInAt?.getTime(),
      apps: apps.length,
      browsers: browsers.length,
      hasSecondFactor,
    }
  }
