import type { Clock } from '@rookery/runtime'
import { type Configuration, Provider } from 'oidc-provider'
import { providerAdapter } from './adapter.ts'
import type { ProviderKeys } from './keys.ts'
import { RESPONSE_MODE } from './names.ts'
import { answerApp } from './redirect.ts'
import type { Sessions } from './sessions.ts'
import { providerSettings } from './settings.ts'

type Deps = Parameters<typeof providerAdapter>[0] & {
  baseUrl: string
  clock: Clock
  keys: ProviderKeys
  sessions: Sessions
  isActive: (accountId: string) => Promise<boolean>
  renderError: NonNullable<Configuration['renderError']>
  onFault: (error: unknown) => void
}

/** What the library's types leave out. */
type Schema = { Schema: { prototype: { redirectUris(uris?: string[]): void } } }

/** Redirect URIs of any scheme, mixed within an app: they were judged when the app was registered (app.rules.ts). */
const acceptAnyRedirectUri = (provider: Provider) => {
  const { Schema } = provider.Client as unknown as Schema
  Schema.prototype.redirectUris = () => {}
}

/**
 * A session keeps its name while it lasts: each sign-in makes one of its own (browser-sessions.ts). Renamed at every approval, as the library
 * does, it would be lost to a browser that does not wait for the answer.
 */
const keepSessionNames = (provider: Provider) => {
  provider.Session.prototype.resetIdentifier = () => {}
}

/** The provider with this service's adapter and settings. */
export const openProvider = (deps: Deps): Provider => {
  const settings = providerSettings({
    keys: deps.keys,
    adapter: providerAdapter(deps),
    isSecure: deps.baseUrl.startsWith('https:'),
    isActive: deps.isActive,
    renderError: deps.renderError,
  })
  const provider = new Provider(deps.baseUrl, settings)
  // Requests reach it with the base URL in the headers of a proxy (hand-over.ts).
  provider.proxy = true
  acceptAnyRedirectUri(provider)
  keepSessionNames(provider)
  provider.registerResponseMode(RESPONSE_MODE, answerApp as Parameters<Provider['registerResponseMode']>[1])
  provider.use(async (ctx, next) => {
    await next()
    const { route, session } = ctx['oidc'] ?? {}
    if (route === 'resume' && session?.accountId) {
      await deps.sessions.note({ uid: session.uid, accountId: session.accountId, userAgent: ctx.get('user-agent') })
    }
  })
  provider.on('server_error', (_ctx, error) => deps.onFault(error))
  return provider
}
