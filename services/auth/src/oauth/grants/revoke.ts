import type { RequestHandler } from 'express'
import { digestOf } from '../../secrets.ts'
import { readParameters, textOf } from '../../web/http/index.ts'
import type { Apps } from '../apps/index.ts'
import type { Tokens } from '../tokens/index.ts'
import { authenticateClient } from './authenticate-client.ts'
import { OAuthFault } from './faults.ts'

/**
 * POST /oauth/revoke (spec, OAuth). Idempotent, and successful for unknown tokens. It bypasses oidc-provider, which would revoke the whole
 * grant with the token.
 */
export const revokeEndpoint = (deps: { apps: Apps; tokens: Tokens }): RequestHandler => {
  const authenticate = authenticateClient(deps)
  return async (request, response) => {
    const parameters = await readParameters(request)
    const { app } = await authenticate(request, parameters)
    const token = textOf(parameters, 'token')
    if (!token) throw new OAuthFault('unauthorized_client')
    const owner = await deps.tokens.appOf(token)
    if (owner !== undefined && owner !== app.id) throw new OAuthFault('unauthorized_client')
    await deps.tokens.revoke({ digest: digestOf(token) })
    response.json({})
  }
}
