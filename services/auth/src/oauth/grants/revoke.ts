import type { RequestHandler } from 'express'
import { digestOf } from '../../secrets.ts'
import { readParameters, textOf } from '../../web/http/index.ts'
import type { Apps } from '../apps/index.ts'
import type { Tokens } from '../tokens/index.ts'
import { authenticateClient } from './authenticate-client.ts'
import { OAuthFault } from './faults.ts'

/**
 * POST /oauth/revoke (spec, OAuth). Revoking a token twice, or one no one has, is as good as once. It does not go through the provider,
 * which would take the whole approval with the token.
 */
export const revokeEndpoint = (given: { apps: Apps; tokens: Tokens }): RequestHandler => {
  const authenticate = authenticateClient(given)
  return async (request, response) => {
    const parameters = await readParameters(request)
    const { app } = await authenticate(request, parameters)
    const token = textOf(parameters, 'token')
    if (!token) throw new OAuthFault('unauthorized_client')
    const owner = await given.tokens.appOf(token)
    if (owner !== undefined && owner !== app.id) throw new OAuthFault('unauthorized_client')
    await given.tokens.revoke({ digest: digestOf(token) })
    response.json({})
  }
}
