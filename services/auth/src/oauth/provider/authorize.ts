import type { Request, RequestHandler } from 'express'
import type { Provider } from 'oidc-provider'
import type { Logins } from '../../logins/index.ts'
import { booleanOf, PageFault, type Parameters, queryOf, textOf, textsOf } from '../../web/http/index.ts'
import type { App, Apps } from '../apps/index.ts'
import { REQUEST_PARAMETERS } from './authorization-request.ts'
import { handOver, withoutCookie } from './hand-over.ts'
import { RESPONSE_MODE, SESSION_COOKIE } from './names.ts'
import { refusal } from './refusal.ts'
import { areWithin, requestedScopes } from './scopes.ts'

type Deps = {
  apps: Apps
  provider: () => Promise<Provider>
  logins: Logins
  baseUrl: string
}

/** Stops what must not be answered by a redirect, because it is not sure that the app is who it says (spec, OAuth; beyond-the-spec 1.3). */
const judge = (app: App | undefined, parameters: Parameters, scopes: readonly string[]) => {
  if (!app) throw refusal('invalid_client')
  const redirectUri = textOf(parameters, 'redirect_uri')
  if (!redirectUri || !app.redirectUris.includes(redirectUri)) {
    const description = "The requested redirect uri is malformed or doesn't match client redirect URI."
    throw new PageFault('invalid_redirect_uri', 400, { oauth: { code: 'invalid_request', description } })
  }
  if (!areWithin(scopes, app.scopes)) throw refusal('invalid_scope')
}

/** Whether the browser's sign-in still counts: a person disabled since then must sign in again, and be told. */
const isSignInGood = async (deps: Deps, provider: Provider, request: Request) => {
  const session = await provider.Session.get(provider.createContext(request, request.res as never) as never)
  return session.accountId === undefined || (await deps.logins.isActive(session.accountId))
}

/** GET /oauth/authorize: the way from an app to the pages and back. Who is not signed in is sent to the sign-in page, and nothing is kept of it. */
export const authorizeEndpoint =
  (deps: Deps): RequestHandler =>
  async (request, response) => {
    const parameters = queryOf(request)
    const clientId = textOf(parameters, 'client_id')
    const scopes = requestedScopes(textOf(parameters, 'scope'))
    judge(clientId ? await deps.apps.findByClientId(clientId) : undefined, parameters, scopes)
    const provider = await deps.provider()
    const isForced = booleanOf(parameters, 'force_login') || !(await isSignInGood(deps, provider, request))
    // It would make something of other parameters that Mastodon's API does not have.
    const passedOn = { ...textsOf(parameters, REQUEST_PARAMETERS), scope: scopes.join(' '), response_mode: RESPONSE_MODE }
    await handOver(provider, request, response, new URL(deps.baseUrl), {
      method: 'GET',
      path: `/oauth/authorize?${new URLSearchParams(passedOn)}`,
      cookie: isForced ? withoutCookie(request.headers.cookie, SESSION_COOKIE) : request.headers.cookie,
    })
  }

/** GET /oauth/authorize/:uid: goes on to the app after the approval. */
export const resumeEndpoint =
  (deps: Deps): RequestHandler =>
  async (request, response) => {
    await handOver(await deps.provider(), request, response, new URL(deps.baseUrl), {
      method: 'GET',
      path: `/oauth/authorize/${encodeURIComponent(String(request.params['uid']))}`,
      cookie: request.headers.cookie,
    })
  }
