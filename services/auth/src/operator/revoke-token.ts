import type { RevokedTokens, RevokeTokenRequest } from '@rookery/contracts/auth'
import type { AccountsDefinition } from '@rookery/contracts/statuses'
import { Failure } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import type { Tokens } from '../oauth/tokens/index.ts'
import { digestOf } from '../secrets.ts'
import { findAccount } from './find-account.ts'

type Deps = { tokens: Tokens; statuses: { accounts: Client<AccountsDefinition> } }

/** Revokes a token, or all tokens of an account. @throws Failure malformed if neither is given, not_found */
export const revokeToken =
  (deps: Deps) =>
  async (call: Call, { accessToken, username }: RevokeTokenRequest): Promise<RevokedTokens> => {
    if (accessToken) return { count: await deps.tokens.revoke({ digest: digestOf(accessToken) }) }
    if (!username) throw new Failure('malformed', 'param is missing or the value is empty: access_token')
    const account = await findAccount(deps.statuses.accounts, call, username)
    return { count: await deps.tokens.revoke({ accountId: account.id }) }
  }
