import { ALL_SCOPES } from '@rookery/contracts/scopes'
import { type AdapterFactory, type Configuration, type Interaction, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { authorizationRequest } from './authorization-request.ts'
import type { ProviderKeys } from './keys.ts'
import { interactionPath, RESUME_COOKIE, SESSION_COOKIE, SESSION_SECONDS, signInPath } from './names.ts'

const MINUTES = 60
const DAYS = 24 * 60 * MINUTES
/** The provider wants an end; nothing here looks at it, tokens never expire (beyond-the-spec 1.3). */
const FOR_EVER = 100 * 365 * DAYS

const policy = () => {
  const base = interactionPolicy.base()
  // Every approval is asked for, whatever kind of client the provider takes an app for.
  base.get('consent')?.checks.remove('native_client_prompt')
  return base
}

const consentedGrant = (ctx: KoaContextWithOIDC) => {
  const grantId = ctx.oidc.result?.consent?.grantId
  return grantId ? ctx.oidc.provider.Grant.find(grantId) : undefined
}

/** Signing in needs no interaction: the sign-in page carries the request along (adapter.ts keeps nothing of it). */
const pathOf = ({ prompt, params, uid }: Interaction) =>
  prompt.name === 'login' ? signInPath(authorizationRequest(params), params['lang']) : interactionPath(uid)

type Deps = {
  keys: ProviderKeys
  adapter: AdapterFactory
  isSecure: boolean
  isActive: (accountId: string) => Promise<boolean>
  renderError: NonNullable<Configuration['renderError']>
}

/**
 * oidc-provider as a plain OAuth 2.0 server for Mastodon's clients: codes and client credentials, opaque tokens that last, PKCE as the
 * client likes, no OpenID Connect.
 */
export const providerSettings = (deps: Deps): Configuration => {
  const cookie = { httpOnly: true, sameSite: 'lax', secure: deps.isSecure, signed: true } as const
  return {
    adapter: deps.adapter,
    jwks: { keys: [deps.keys.signing] },
    cookies: {
      keys: [...deps.keys.cookies],
      names: { session: SESSION_COOKIE, interaction: 'rookery_interaction', resume: RESUME_COOKIE },
      long: cookie,
      short: cookie,
    },
    scopes: [...ALL_SCOPES],
    claims: { openid: ['sub'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_post'],
    pkce: { required: () => false },
    extraParams: ['lang'],
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    ttl: {
      AccessToken: FOR_EVER,
      ClientCredentials: FOR_EVER,
      AuthorizationCode: 10 * MINUTES,
      // Only the exchange of the code looks at the grant.
      Grant: 60 * MINUTES,
      Interaction: 60 * MINUTES,
      Session: SESSION_SECONDS,
      IdToken: 60 * MINUTES,
    },
    expiresWithSession: () => false,
    issueRefreshToken: () => false,
    // Each approval is a grant of its own, so that revoking one token leaves the others.
    loadExistingGrant: async (ctx) => consentedGrant(ctx),
    interactions: { policy: policy(), url: (_ctx, interaction) => pathOf(interaction) },
    findAccount: async (_ctx, accountId) =>
      (await deps.isActive(accountId)) ? { accountId, claims: async () => ({ sub: accountId }) } : undefined,
    renderError: deps.renderError,
  }
}
