import { choice, list, optional, origin, readEnvironment, type Setting, text, url } from '@rookery/runtime'
import { proxyTrust } from './http/caller.ts'

/** What the module needs to know of its server. */
export type GatewayConfig = {
  baseUrl: string
  /** Where clients open streams: ws(s)://host, no path. */
  streamingUrl: string
  hasRateLimits: boolean
  trustedProxies: readonly string[]
  registrations: 'open' | 'approval' | 'closed'
  /** What nodeinfo says the server runs; clients decide features by it. */
  softwareName: string
  /** Where the source of the running software can be had. */
  sourceUrl: string
  /** Whether statuses are translated. */
  hasTranslation: boolean
  /** Rendered bodies kept in memory. */
  cacheEntries: number
}

/** Addresses, networks or words for networks, as proxies are trusted by. */
const networks = (given: Parameters<typeof list>[0]): Setting<string[]> => ({
  ...list(given),
  kind: 'addresses, networks, loopback, linklocal or uniquelocal, separated by commas',
  parse(value) {
    const names = list(given).parse(value)
    try {
      proxyTrust(names)
    } catch {
      throw new Error('must be addresses or networks')
    }
    return names
  },
})

export const settings = {
  BASE_URL: origin({ describe: 'The address the public knows the server by.' }),
  STREAMING_URL: optional(url({ describe: 'Where clients open streams, when not at the base URL: wss://host.' })),
  RATE_LIMITS: choice(['on', 'off'], { describe: 'Whether calls are limited; off is for tests and benchmarks.', default: 'on' }),
  TRUSTED_PROXIES: networks({ describe: 'Addresses or networks whose X-Forwarded-For is believed.', default: '' }),
  REGISTRATIONS: choice(['open', 'approval', 'closed'], { describe: 'Who may sign up, as auth decides it.', default: 'open' }),
  TRANSLATION_PROVIDER: choice(['off', 'deepl', 'libretranslate'], {
    describe: 'Who translates public posts for their readers.',
    default: 'off',
  }),
  SOFTWARE_NAME: text({
    describe: 'The name nodeinfo gives. Some clients enable features only for mastodon; the real name stays in the version.',
    default: 'rookery',
  }),
  SOURCE_URL: optional(url({ describe: 'Where the source of the running software can be had; the base URL when not set.' })),
}

/** Reads the module's part of an environment. @throws ConfigurationError */
export const readGatewayConfig = (environment: Record<string, string | undefined>): GatewayConfig => {
  const values = readEnvironment(settings, environment)
  return {
    baseUrl: values.BASE_URL,
    streamingUrl: values.STREAMING_URL ?? values.BASE_URL.replace(/^http/, 'ws'),
    hasRateLimits: values.RATE_LIMITS === 'on',
    trustedProxies: values.TRUSTED_PROXIES,
    registrations: values.REGISTRATIONS,
    softwareName: values.SOFTWARE_NAME,
    sourceUrl: values.SOURCE_URL ?? values.BASE_URL,
    hasTranslation: values.TRANSLATION_PROVIDER !== 'off',
    cacheEntries: 10_000,
  }
}
