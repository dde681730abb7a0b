/// <reference path="./oidc-provider.d.ts" />
import { ALL_SCOPES } from '@rookery/contracts/scopes'
import type { Configuration, Interaction } from 'oidc-provider'
import { Check, Prompt } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import { Provider } from 'oidc-provider/lib/provider.js'
import { type AdapterDeps, providerAdapter } from './adapter.ts'
import { authorizationRequest, interactionPath, signInPath } from './authorization-request.ts'
import { cookieOptions, RESUME_COOKIE, SESSION_COOKIE, SESSION_SECONDS } from './cookies.ts'
import { answersTo, providerMode } from './redirect.ts'

type Deps = AdapterDeps & {
  baseUrl: string
  cookieKeys: readonly string[]
  isActive: (accountId: string) => Promise<boolean>
  renderError: NonNullable<Configuration['renderError']>
  onFault: (error: unknown) => void
}

const MINUTES = 60

/** An account that is signed in and active is asked for approval, every time; all others sign in first. */
const policy = () => [
  new Prompt({ name: 'login', requestable: true }, new Check('no_account', 'sign-in is required', ({ oidc }) => !oidc.account)),
  new Prompt({ name: 'consent' }, new Check('no_consent', 'approval is required', ({ oidc }) => !oidc.result?.consent)),
]

/** The sign-in page carries the request in its URL, so no interaction is stored for it (adapter.ts). */
const pathOf = ({ prompt, params, uid }: Interaction) =>
  prompt.name === 'login' ? signInPath(authorizationRequest(params), params['lang']) : interactionPath(uid)

const configure = (deps: Deps): Configuration => ({
  adapter: providerAdapter(deps),
  cookies: {
    keys: [...deps.cookieKeys],
    names: { session: SESSION_COOKIE, interaction: 'rookery_interaction', resume: RESUME_COOKIE },
    long: cookieOptions(deps.baseUrl),
    short: cookieOptions(deps.baseUrl),
  },
  scopes: [...ALL_SCOPES],
  // There are no ID tokens; with HMAC the library needs no signing key.
  jwks: { keys: [] },
  enabledJWA: { idTokenSigningAlgValues: ['HS256'] },
  clientDefaults: { id_token_signed_response_alg: 'HS256' },
  clientAuthMethods: ['client_secret_post'],
  responseTypes: ['code'],
  routes: { authorization: '/oauth/authorize' },
  pkce: { required: () => false },
  extraParams: ['lang'],
  features: { devInteractions: { enabled: false }, resourceIndicators: { enabled: false } },
  // The grant is read only when its code is issued.
  ttl: { AuthorizationCode: 10 * MINUTES, Grant: 60 * MINUTES, Interaction: 60 * MINUTES, Session: SESSION_SECONDS },
  expiresWithSession: () => false,
  // Each approval creates a separate grant, so that revoking one token leaves the others.
  loadExistingGrant: async ({ oidc }) => {
    const grantId = oidc.result?.consent?.grantId
    return grantId ? oidc.provider.Grant.find(grantId) : undefined
  },
  interactions: { policy: policy() as never, url: (_ctx, interaction) => pathOf(interaction) },
  findAccount: async (_ctx, accountId) =>
    (await deps.isActive(accountId)) ? { accountId, claims: async () => ({ sub: accountId }) } : undefined,
  renderError: deps.renderError,
})

/** A part of the library that its types leave out. */
type Schema = { Schema: { prototype: { redirectUris(uris?: string[]): void } } }

/**
 * Opens oidc-provider, which checks authorization requests, asks for sign-in and approval, and issues codes. Behaviour that its
 * configuration does not cover is overridden on this instance (docs/decisions/0023).
 */
export const openProvider = (deps: Deps): Provider => {
  const provider = new Provider(deps.baseUrl, configure(deps))
  const { host, protocol } = new URL(deps.baseUrl)
  // On Koa's request: URLs and secure cookies follow the base URL, regardless of proxies.
  Object.defineProperties(provider.request, { host: { value: host }, protocol: { value: protocol.slice(0, -1) } })
  // Redirect URIs may have any scheme, also mixed; they were checked when the app was registered (app.rules.ts).
  const { Schema } = provider.Client as unknown as Schema
  Schema.prototype.redirectUris = () => {}
  // Each sign-in already creates a new session. If an approval renamed it, a browser that does not wait for the response would lose it.
  provider.Session.prototype.resetIdentifier = () => {}
  for (const [mode, answer] of answersTo(host)) {
    provider.registerResponseMode(providerMode(mode), answer as Parameters<Provider['registerResponseMode']>[1])
  }
  provider.on('server_error', (_ctx, error) => deps.onFault(error))
  return provider
}
