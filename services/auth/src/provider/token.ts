import type { RequestHandler } from 'express'
import type { Provider } from 'oidc-provider'
import type { App, Apps } from '../apps/index.ts'
import { type Parameters, readParameters, textOf, textsOf } from '../http/index.ts'
import { authenticateClient } from './authenticate-client.ts'
import { missing, OAuthFault } from './faults.ts'
import { handOver } from './hand-over.ts'
import { areWithin, requestedScopes } from './scopes.ts'

type Given = { apps: Apps; provider: () => Promise<Provider>; baseUrl: string }

type Form = Record<string, string>

/** An exchange of a code. The scope of the token is the one approved; asking for more here is refused (beyond-the-spec 0.4). */
const exchange = async (provider: Provider, parameters: Parameters): Promise<Form> => {
  const form = textsOf(parameters, ['code', 'redirect_uri', 'code_verifier'])
  if (!form.code) throw missing('code')
  if (!form.redirect_uri) throw missing('redirect_uri')
  const scope = textOf(parameters, 'scope')
  const approved = scope === undefined ? undefined : await provider.AuthorizationCode.find(form.code)
  if (approved && !areWithin(requestedScopes(scope), [...approved.scopes])) throw new OAuthFault('invalid_scope')
  return form as Form
}

/** A token for the app itself. */
const credentials = (app: App, parameters: Parameters): Form => {
  const scopes = requestedScopes(textOf(parameters, 'scope'))
  if (!areWithin(scopes, app.scopes)) throw new OAuthFault('invalid_scope')
  return { scope: scopes.join(' ') }
}

const formOf = (provider: Provider, grantType: string, app: App, parameters: Parameters): Form | Promise<Form> => {
  if (grantType === 'authorization_code') return exchange(provider, parameters)
  if (grantType === 'client_credentials') return credentials(app, parameters)
  throw new OAuthFault('unsupported_grant_type')
}

/** POST /oauth/token (spec, OAuth; beyond-the-spec 1.3): judges what the provider would judge differently, then lets it answer. */
export const tokenEndpoint = (given: Given): RequestHandler => {
  const authenticate = authenticateClient(given)
  const baseUrl = new URL(given.baseUrl)
  return async (request, response) => {
    const parameters = await readParameters(request)
    const app = await authenticate(request, parameters)
    const grantType = textOf(parameters, 'grant_type')
    if (!grantType) throw missing('grant_type')
    const provider = await given.provider()
    const form = {
      ...(await formOf(provider, grantType, app, parameters)),
      grant_type: grantType,
      client_id: app.clientId,
      client_secret: app.secretDigest.toString('hex'),
    }
    await handOver(provider, request, response, baseUrl, { method: 'POST', path: '/oauth/token', form })
  }
}
