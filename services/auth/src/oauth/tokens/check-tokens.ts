import type { Cache } from '@rookery/cache'
import { LoginState, type TokenHolder, TokenState, TokensDefinition } from '@rookery/contracts/auth'
import { type Inviters, permissionsOf } from '@rookery/contracts/permissions'
import { type Database, type Remembered, untilWritten } from '@rookery/database'
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

export type HolderCache = Cache<Remembered<TokenHolder>>

type CheckDeps = {
  database: Database<AuthTables>
  logins: Pick<Logins, 'noteSeen'>
  holders: HolderCache
  config: { inviters: Inviters }
}

/**
 * The holders of tokens by SHA-256 digests, in their order, with one statement for all; in a single process cached until one of the tables
 * is written. Records the activity of their accounts.
 */
export const checkTokens = (deps: CheckDeps) => {
  const load = async (keys: string[]) => {
    const rows = await findTokens(deps.database, { digests: keys.map((key) => Buffer.from(key, 'latin1')) })
    return new Map(rows.map((row) => [keyOf(row.digest), holderOf(row, deps.config.inviters)]))
  }
  const read = untilWritten(load, { writes: deps.database.writes, tables: TABLES, memory: deps.holders })
  return async (digests: readonly Buffer[]): Promise<TokenHolder[]> => {
    const holders = await read(digests.map(keyOf))
    deps.logins.noteSeen([...holders.values()].filter(isInUse).map(({ accountId }) => accountId))
    return digests.map((digest) => holders.get(keyOf(digest)) ?? UNKNOWN)
  }
}

/** Invalidates the gateways' caches of token holders whenever this process writes one of the tables, before the write is answered. */
export const publishWrites = ({ database, invalidations }: { database: Database<AuthTables>; invalidations: Invalidations }): void =>
  database.onWrite(TABLES, () => invalidations.publish(TokensDefinition.fullName))
