import type { Request, RequestHandler } from 'express'
import type { Provider } from 'oidc-provider'
import type { App, Apps } from '../apps/index.ts'
import { booleanOf, PageFault, type Parameters, queryOf, textOf, textsOf } from '../http/index.ts'
import type { Logins } from '../logins/index.ts'
import { handOver, withoutCookie } from './hand-over.ts'
import { RESPONSE_MODE, SESSION_COOKIE } from './names.ts'
import { refusal } from './refusal.ts'
import { areWithin, requestedScopes } from './scopes.ts'

type Given = {
  apps: Apps
  provider: () => Promise<Provider>
  logins: Logins
  baseUrl: string
}

/** Parameters passed on to the provider; it would make something of others that Mastodon's API does not have. */
const PASSED_ON = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'lang'] as const

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
const isSignInGood = async (given: Given, provider: Provider, request: Request) => {
  const session = await provider.Session.get(provider.createContext(request, request.res as never) as never)
  return session.accountId === undefined || (await given.logins.isActive(session.accountId))
}

/** GET /oauth/authorize: the way from an app to the pages and back. */
export const authorizeEndpoint =
  (given: Given): RequestHandler =>
  async (request, response) => {
    const parameters = queryOf(request)
    const clientId = textOf(parameters, 'client_id')
    const scopes = requestedScopes(textOf(parameters, 'scope'))
    judge(clientId ? await given.apps.findByClientId(clientId) : undefined, parameters, scopes)
    const provider = await given.provider()
    const isForced = booleanOf(parameters, 'force_login') || !(await isSignInGood(given, provider, request))
    const passedOn = new URLSearchParams({ ...textsOf(parameters, PASSED_ON), scope: scopes.join(' '), response_mode: RESPONSE_MODE })
    await handOver(provider, request, response, new URL(given.baseUrl), {
      method: 'GET',
      path: `/oauth/authorize?${passedOn}`,
      cookie: isForced ? withoutCookie(request.headers.cookie, SESSION_COOKIE) : request.headers.cookie,
    })
  }

/** GET /oauth/authorize/:uid: goes on after a page. Whoever signed in there gets a session of their own, not the one before. */
export const resumeEndpoint =
  (given: Given): RequestHandler =>
  async (request, response) => {
    const provider = await given.provider()
    const uid = String(request.params['uid'])
    const interaction = await provider.Interaction.find(uid)
    const { cookie } = request.headers
    const isNewSignIn = interaction?.result?.login !== undefined
    const before = isNewSignIn ? await provider.Session.get(provider.createContext(request, response) as never) : undefined
    await handOver(provider, request, response, new URL(given.baseUrl), {
      method: 'GET',
      path: `/oauth/authorize/${encodeURIComponent(uid)}`,
      cookie: isNewSignIn ? withoutCookie(cookie, SESSION_COOKIE) : cookie,
    })
    if (before?.accountId !== undefined) await before.destroy()
  }
