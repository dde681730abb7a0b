import { LoginState, type TokenHolder, TokenState, TokensDefinition } from '@rookery/contracts/auth'
import { type Inviters, permissionsOf } from '@rookery/contracts/permissions'
import type { Database } from '@rookery/database'
import type { Invalidations } from '@rookery/ephemeral'
import type { AuthTables } from '../../database/schema.ts'
import { type Logins, stateOf } from '../../logins/index.ts'
import { findTokens, type TokenRow } from './token.store.ts'

const LOGIN_STATES = {
  active: LoginState.ACTIVE,
  unconfirmed: LoginState.UNCONFIRMED,
  pending: LoginState.PENDING,
  disabled: LoginState.DISABLED,
} as const

const UNKNOWN: TokenHolder = {
  state: TokenState.UNKNOWN,
  accountId: '',
  appId: '',
  appName: '',
  appWebsite: '',
  appNumber: 0,
  scopes: [],
  loginState: LoginState.UNSPECIFIED,
  permissions: 0,
  tokenId: '',
  role: '',
}

const holderOf = (row: TokenRow, inviters: Inviters): TokenHolder => {
  const { role } = row
  const person = role ? { role, permissions: permissionsOf(role, inviters) } : { role: '', permissions: 0 }
  return {
    ...person,
    state: row.isRevoked ? TokenState.REVOKED : TokenState.VALID,
    accountId: row.accountId ?? '',
    appId: row.appId,
    appName: row.appName,
    appWebsite: row.appWebsite,
    appNumber: row.appNumber,
    scopes: row.scopes,
    loginState: role ? LOGIN_STATES[stateOf(row)] : LoginState.UNSPECIFIED,
    tokenId: row.tokenId,
  }
}

const isInUse = ({ state, loginState }: TokenHolder) => state === TokenState.VALID && loginState === LoginState.ACTIVE

const keyOf = (digest: Buffer) => digest.toString('latin1')

/** The tables that `findTokens` reads. */
const TABLES = ['access_token', 'app', 'login']

type CheckDeps = {
  database: Database<AuthTables>
  logins: Pick<Logins, 'noteSeen'>
  config: { inviters: Inviters }
}

/** The holders of tokens by SHA-256 digests, in their order, with one statement for all. Records the activity of their accounts. */
export const checkTokens =
  ({ database, logins, config }: CheckDeps) =>
  async (digests: readonly Buffer[]): Promise<TokenHolder[]> => {
    const rows = await findTokens(database, { digests })
    const holders = new Map(rows.map((row) => [keyOf(row.digest), holderOf(row, config.inviters)]))
    logins.noteSeen([...holders.values()].filter(isInUse).map(({ accountId }) => accountId))
    return digests.map((digest) => holders.get(keyOf(digest)) ?? UNKNOWN)
  }

/** Invalidates the gateways' caches of token holders whenever this process writes one of the tables, before the write is answered. */
export const publishWrites = ({ database, invalidations }: { database: Database<AuthTables>; invalidations: Invalidations }): void =>
  database.onWrite(TABLES, () => invalidations.publish(TokensDefinition.fullName))
