import type { Request, RequestHandler, Response } from 'express'
import type { Provider } from 'oidc-provider'
import { booleanOf, PageFault, type Parameters, queryOf, textOf, textsOf } from '../../web/http/index.ts'
import type { App, Apps } from '../apps/index.ts'
import { areWithin, isChallengeKnown, requestedScopes } from '../grants/index.ts'
import { REQUEST_PARAMETERS } from './authorization-request.ts'
import { providerMode } from './redirect.ts'
import { refusal } from './refusal.ts'

type Deps = { apps: Apps; provider: () => Promise<Provider> }

/**
 * Refuses requests that must not be answered by a redirect, because the app may be an impostor (spec, OAuth; beyond-the-spec 1.3), and
 * requests that could only be answered by a redirect before sign-in: since anyone may register an app, that would be an open redirector
 * (RFC 9700, 4.11.2).
 */
const judge = (app: App | undefined, parameters: Parameters, scopes: readonly string[]) => {
  if (!app) throw refusal('invalid_client')
  const redirectUri = textOf(parameters, 'redirect_uri')
  if (!redirectUri || !app.redirectUris.includes(redirectUri)) {
    const description = "The requested redirect uri is malformed or doesn't match client redirect URI."
    throw new PageFault('invalid_redirect_uri', 400, { oauth: { code: 'invalid_request', description } })
  }
  const responseType = textOf(parameters, 'response_type')
  if (responseType !== 'code') throw refusal(responseType ? 'unsupported_response_type' : 'invalid_request')
  if (!areWithin(scopes, app.scopes)) throw refusal('invalid_scope')
  const { code_challenge: challenge, code_challenge_method: method } = textsOf(parameters, ['code_challenge', 'code_challenge_method'])
  if (!isChallengeKnown(challenge, method)) throw refusal('invalid_request')
}

const forward = async ({ provider }: Deps, request: Request, response: Response, path: string) => {
  request.url = path
  request.originalUrl = path
  await (await provider()).callback()(request, response)
}

/** GET /oauth/authorize: checks a request and forwards it to oidc-provider, which asks for sign-in and approval. */
export const authorizeEndpoint =
  (deps: Deps): RequestHandler =>
  async (request, response) => {
    const parameters = queryOf(request)
    const clientId = textOf(parameters, 'client_id')
    const scopes = requestedScopes(textOf(parameters, 'scope'))
    judge(clientId ? await deps.apps.findByClientId(clientId) : undefined, parameters, scopes)
    // Other parameters, which Mastodon's API does not have, are dropped, since oidc-provider would act on them.
    const forwarded = new URLSearchParams({
      ...textsOf(parameters, REQUEST_PARAMETERS),
      scope: scopes.join(' '),
      response_mode: providerMode(textOf(parameters, 'response_mode')),
      ...(booleanOf(parameters, 'force_login') && { prompt: 'login' }),
    })
    await forward(deps, request, response, `/oauth/authorize?${forwarded}`)
  }

/** GET /oauth/authorize/:uid: continues to the app after the approval. */
export const resumeEndpoint =
  (deps: Deps): RequestHandler =>
  (request, response) =>
    forward(deps, request, response, request.path)
