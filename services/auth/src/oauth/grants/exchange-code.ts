import { setTimeout as pause } from 'node:timers/promises'
import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import { digestOf } from '../../secrets.ts'
import type { Tokens } from '../tokens/index.ts'
import type { AuthenticatedApp } from './authenticate-client.ts'
import { fits, isReplay } from './code.rules.ts'
import { CodeReader, CodeWriter, type FoundCode } from './code.store.ts'
import { OAuthFault } from './faults.ts'
import { areWithin, requestedScopes } from './scopes.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logins: Logins; tokens: Tokens }

/** A token request for a code; `arrivedAt` by `performance.now()`, in milliseconds. */
type CodeExchange = AuthenticatedApp & {
  code: string
  redirectUri: string
  codeVerifier: string | undefined
  scope: string | undefined
  arrivedAt: number
}

/** A token issued for a code or for client credentials. */
export type Grant = { value: string; scopes: string[]; createdAt: Date }

/**
 * The minimum time from the arrival of an exchange to its answer, in milliseconds. Duplicates sent by a browser, an app or a proxy have
 * arrived by then, even on a slower connection.
 */
const SETTLING_MILLISECONDS = 100

const refused = () => new OAuthFault('invalid_grant')

/** Revokes the token of a code that is replayed: one of the two senders was not meant to have it (RFC 6749, 4.1.2). */
const takeBack = async ({ tokens }: Deps, { tokenDigest }: FoundCode) => {
  if (tokenDigest) await tokens.revoke({ digest: Buffer.from(tokenDigest, 'hex') })
}

/**
 * Uses up the code and issues the token, in one transaction. Locks are taken in the order that ending an account's sign-ins takes them:
 * login, code, token.
 */
const redeem = ({ database, logins, tokens }: Deps, { app, clientSecret, code }: CodeExchange, { accountId, scope }: FoundCode) =>
  transact(database.db, async (tx): Promise<Grant> => {
    const codes = new CodeWriter(tx)
    if (!(await logins.holdActive(tx, accountId)) || !(await codes.use(digestOf(code)))) throw refused()
    const scopes = scope.split(' ')
    const token = await tokens.grant(tx, { appId: app.id, clientSecret, accountId, scopes })
    await codes.noteToken(digestOf(code), digestOf(token.value))
    return { ...token, scopes }
  })

/**
 * Exchanges an authorization code for a token (spec, OAuth; beyond-the-spec 1.3). Of concurrent exchanges one succeeds and keeps its token;
 * only an exchange that arrives after the answer revokes it. The token has the approved scope; a larger one is refused (beyond-the-spec
 * 0.4).
 * @throws OAuthFault invalid_grant, invalid_scope
 */
export const exchangeCode =
  (deps: Deps) =>
  async (exchange: CodeExchange): Promise<Grant> => {
    const { app, code, scope } = exchange
    const digest = digestOf(code)
    const arrivedMillisecondsAgo = performance.now() - exchange.arrivedAt
    const found = await new CodeReader(deps.database.db).find(digest, new Date(deps.clock.now()))
    if (!found || !fits(found, { ...exchange, clientId: app.clientId })) throw refused()
    if (found.usedMillisecondsAgo !== undefined) {
      if (isReplay(found, arrivedMillisecondsAgo)) await takeBack(deps, found)
      throw refused()
    }
    if (scope !== undefined && !areWithin(requestedScopes(scope), found.scope.split(' '))) throw new OAuthFault('invalid_scope')
    const grant = await redeem(deps, exchange, found)
    await pause(Math.max(0, exchange.arrivedAt + SETTLING_MILLISECONDS - performance.now()))
    // Exchanges that arrived before this were sent before the answer.
    await transact(deps.database.db, (tx) => new CodeWriter(tx).answer(digest))
    return grant
  }
