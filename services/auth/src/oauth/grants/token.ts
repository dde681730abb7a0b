import { type Database, transact } from '@rookery/database'
import { stateOf } from '@rookery/http'
import type { Clock } from '@rookery/runtime'
import type { RequestHandler } from 'express'
import type { AuthTables } from '../../database/schema.ts'
import type { Logins } from '../../logins/index.ts'
import { type Parameters, readParameters, textOf, textsOf } from '../../web/http/index.ts'
import type { Apps } from '../apps/index.ts'
import type { Tokens } from '../tokens/index.ts'
import { type AuthenticatedApp, authenticateClient } from './authenticate-client.ts'
import { exchangeCode, type Grant } from './exchange-code.ts'
import { missing, OAuthFault } from './faults.ts'
import { areWithin, requestedScopes } from './scopes.ts'

type Deps = { apps: Apps; logins: Logins; tokens: Tokens; database: Database<AuthTables>; clock: Clock }

type Asked = AuthenticatedApp & { parameters: Parameters; arrivedAt: number }

/** A token for client credentials. */
const credentials = async ({ database, tokens }: Deps, { app, parameters }: Asked): Promise<Grant> => {
  const scopes = requestedScopes(textOf(parameters, 'scope'))
  if (!areWithin(scopes, app.scopes)) throw new OAuthFault('invalid_scope')
  return { ...(await transact(database.db, (tx) => tokens.issue(tx, { appId: app.id, scopes }))), scopes }
}

const byCode = (deps: Deps) => {
  const exchange = exchangeCode(deps)
  return ({ parameters, ...asked }: Asked): Promise<Grant> => {
    const { code, redirect_uri: redirectUri, code_verifier: codeVerifier, scope } = textsOf(parameters, NAMES)
    if (!code) throw missing('code')
    if (!redirectUri) throw missing('redirect_uri')
    return exchange({ ...asked, code, redirectUri, codeVerifier, scope })
  }
}
const NAMES = ['code', 'redirect_uri', 'code_verifier', 'scope'] as const

/** POST /oauth/token (spec, OAuth and Token; beyond-the-spec 1.3). */
export const tokenEndpoint = (deps: Deps): RequestHandler => {
  const authenticate = authenticateClient(deps)
  const grants: Record<string, (asked: Asked) => Promise<Grant>> = {
    authorization_code: byCode(deps),
    client_credentials: (asked) => credentials(deps, asked),
  }
  return async (request, response) => {
    const parameters = await readParameters(request)
    const authenticated = await authenticate(request, parameters)
    const grantType = textOf(parameters, 'grant_type')
    if (!grantType) throw missing('grant_type')
    const grant = Object.hasOwn(grants, grantType) ? grants[grantType] : undefined
    if (!grant) throw new OAuthFault('unsupported_grant_type')
    const { value, scopes, createdAt } = await grant({ ...authenticated, parameters, arrivedAt: stateOf(response).arrivedAt })
    response.json({
      access_token: value,
      token_type: 'Bearer',
      scope: scopes.join(' '),
      created_at: Math.floor(createdAt.getTime() / 1000),
    })
  }
}
