import type { Inviters } from '@rookery/contracts/permissions'
import {
  choice,
  count,
  type LimitConfig,
  limitConfig,
  limitSettings,
  optional,
  origin,
  readEnvironment,
  shaped,
  text,
  url,
} from '@rookery/runtime'
import type { Restriction } from './http/access.ts'

/** The configuration of the gateway. */
export type GatewayConfig = LimitConfig & {
  /** What this server closes to callers without a token, though it is usually public. */
  restrictions: ReadonlySet<Restriction>
  /** Whether the blocked domains are public. */
  showsDomainBlocks: boolean
  baseUrl: string
  /** The URL of streams: ws(s)://host, no path. */
  streamingUrl: string
  registrations: 'open' | 'approval' | 'closed'
  /** Who may invite people. */
  inviters: Inviters
  /** The software name in nodeinfo; clients enable features by it. */
  softwareName: string
  /** The URL of the running software's source. */
  sourceUrl: string
  /** Whether statuses can be translated. */
  hasTranslation: boolean
  /** Maximum bytes of the caches of rendered bodies and token holders. */
  cacheBytes: number
  /** Whether a token's holder is cached for a second, or requested from auth for each request. */
  remembersTokens: boolean
}

const BOTH = ['off', 'on'] as const

export const settings = {
  BASE_URL: origin({ describe: 'Public base URL of the server.' }),
  FEDERATION_MODE: choice(['open', 'allowlist'], {
    describe:
      'Whether the server federates with every other, or only with allowed ones; then peers, activity and the v1 instance are for its users only.',
    default: 'open',
  }),
  AUTHORIZED_FETCH: choice(BOTH, { describe: 'Whether single posts are served only with a user’s token.', default: 'off' }),
  PUBLIC_PREVIEW: choice(BOTH, { describe: 'Whether public timelines are served without a token.', default: 'on' }),
  DOMAIN_BLOCKS_SHOWN: choice(['all', 'users', 'none'], { describe: 'Who may see which domains are limited here.', default: 'all' }),
  STREAMING_URL: optional(
    shaped(/^wss?:\/\/[^\s/]+/, 'an address that begins with ws:// or wss://', {
      describe: 'Streaming URL for clients, when it differs from the base URL: wss://host.',
    }),
  ),
  ...limitSettings,
  REGISTRATIONS: choice(['open', 'approval', 'closed'], { describe: 'Who may sign up, as auth decides it.', default: 'open' }),
  INVITES: choice(['everyone', 'staff', 'off'], { describe: 'Who may invite people, as auth decides it.', default: 'everyone' }),
  TRANSLATION_PROVIDER: choice(['off', 'deepl', 'libretranslate'], {
    describe: 'Provider that translates public posts.',
    default: 'off',
  }),
  GATEWAY_CACHE_MEGABYTES: count({
    describe: 'Memory for the JSON of statuses, accounts and pages that are read repeatedly, in each process of the gateway.',
    default: '64',
  }),
  TOKEN_MEMORY: choice(['on', 'off'], {
    describe:
      'Whether the account of a token is cached, until auth reports a change, for a second at most; off asks auth for each request.',
    default: 'on',
  }),
  SOFTWARE_NAME: text({
    describe: 'Software name in NodeInfo. Some clients enable features only for mastodon; the real name stays in the version.',
    default: 'rookery',
  }),
  SOURCE_URL: optional(url({ describe: 'Source code of the running software; the base URL when not set.' })),
}

const MEGABYTE = 1024 * 1024

type Modes = Record<'FEDERATION_MODE' | 'AUTHORIZED_FETCH' | 'PUBLIC_PREVIEW' | 'DOMAIN_BLOCKS_SHOWN', string>

const restrictionsOf = (values: Modes): ReadonlySet<Restriction> => {
  const restrictions = new Set<Restriction>()
  if (values.FEDERATION_MODE === 'allowlist') restrictions.add('limited federation')
  if (values.AUTHORIZED_FETCH === 'on') restrictions.add('authorized fetch')
  if (values.PUBLIC_PREVIEW === 'off') restrictions.add('no public preview')
  if (values.DOMAIN_BLOCKS_SHOWN === 'users') restrictions.add('domain blocks for users')
  return restrictions
}

/** Reads the gateway's settings. @throws ConfigurationError */
export const readGatewayConfig = (environment: Record<string, string | undefined>): GatewayConfig => {
  const values = readEnvironment(settings, environment)
  return {
    baseUrl: values.BASE_URL,
    streamingUrl: values.STREAMING_URL ?? values.BASE_URL.replace(/^http/, 'ws'),
    ...limitConfig(values),
    restrictions: restrictionsOf(values),
    showsDomainBlocks: values.DOMAIN_BLOCKS_SHOWN !== 'none',
    registrations: values.REGISTRATIONS,
    inviters: values.INVITES,
    softwareName: values.SOFTWARE_NAME,
    sourceUrl: values.SOURCE_URL ?? values.BASE_URL,
    hasTranslation: values.TRANSLATION_PROVIDER !== 'off',
    cacheBytes: values.GATEWAY_CACHE_MEGABYTES * MEGABYTE,
    remembersTokens: values.TOKEN_MEMORY === 'on',
  }
}
