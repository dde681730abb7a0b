import type { CreateAccountRequest, CreatedAccount } from '@rookery/contracts/auth'
import { ALL_SCOPES, parseScopes } from '@rookery/contracts/scopes'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Registrations } from '../accounts/registrations/index.ts'
import { type Logins, makePassword } from '../logins/index.ts'
import type { AccountActs } from '../moderation/index.ts'
import type { Apps } from '../oauth/apps/index.ts'
import type { Tokens } from '../oauth/tokens/index.ts'
import { loginMessage } from './login.message.ts'
import { roleOf } from './role.rules.ts'

type Deps = { acts: Pick<AccountActs, 'record'>; registrations: Registrations; apps: Apps; tokens: Tokens; logins: Logins }

const scopesOf = (text: string) => {
  const scopes = parseScopes(text)
  const unknown = scopes.filter((scope) => !ALL_SCOPES.has(scope))
  if (unknown.length > 0) throw invalid(`Scopes are not known: ${unknown.join(' ')}`)
  return scopes
}

/** Creates an account, with a generated password if none is given, and with a token if scopes are given. @throws Failure invalid */
export const createAccount =
  (deps: Deps) =>
  async (call: Call, request: CreateAccountRequest): Promise<CreatedAccount> => {
    const role = roleOf(request.role)
    const scopes = scopesOf(request.tokenScopes)
    const made = request.password ? '' : makePassword()
    const app = scopes.length > 0 ? await deps.apps.operators() : undefined
    const { username, email } = request
    const order = { username, email, password: request.password || made, role, isConfirmed: request.confirmed }
    const opened = await deps.registrations.registerByOperator(call, order, async (tx, accountId) => {
      if (role !== 'user') await deps.acts.record(tx, 'create_account', { accountId }, { text: role })
      const token = app ? await deps.tokens.issue(tx, { appId: app.id, accountId, scopes }) : undefined
      return { accountId, accessToken: token?.value ?? '' }
    })
    const login = orNotFound(await deps.logins.find(opened.accountId))
    return { login: loginMessage(login, username.trim()), password: made, accessToken: opened.accessToken }
  }
