import { choice, count, optional, origin, readEnvironment, type Secret, secret, text, url } from '@rookery/runtime'

/** The translation provider. The address is the provider's default if it has one and none is given. */
export type TranslationConfig = { provider: 'deepl' | 'libretranslate'; address: string | undefined; key: Secret | undefined }

/** The module's configuration. */
export type StatusesConfig = {
  /** The public address, without a trailing slash. */
  baseUrl: string
  /** The former base URL, while it is changed on purpose. */
  previousBaseUrl: string | undefined
  /** Memory limit of all caches together, in bytes. */
  cacheBytes: number
  /** Whether to fetch link previews for statuses. */
  hasCards: boolean
  /** Which trends are public, and how many accounts must use a tag or a link on a day before it trends. */
  trends: { mode: 'automatic' | 'reviewed' | 'off'; minAccounts: number }
  /** Undefined if translation is off. */
  translation: TranslationConfig | undefined
  /** Local followers up to which an author's statuses are written to homes; 0 for no limit. */
  fanOutMaxFollowers: number
  /** Days after which unreferenced statuses of other servers are removed; 0 for never. */
  remoteStatusDays: number
}

export const settings = {
  BASE_URL: origin({ describe: 'Public base URL of the server.' }),
  PREVIOUS_BASE_URL: optional(
    origin({
      describe:
        'The old BASE_URL, to permit an intended change: handles and ids of all accounts change with it, and other servers see them as new accounts. Without it a start with another BASE_URL is refused.',
    }),
  ),
  STATUSES_CACHE_MEGABYTES: count({
    describe: 'Memory for statuses, accounts and what viewers block, mute and filter, in each process of statuses.',
    default: '64',
  }),
  PREVIEW_CARDS: choice(['on', 'off'], {
    describe: 'Whether the server fetches preview cards of linked pages.',
    default: 'on',
  }),
  TRENDS: choice(['automatic', 'reviewed', 'off'], {
    describe: 'Which trends are shown: all that no moderator rejected, only those that a moderator approved, or none.',
    default: 'automatic',
  }),
  TRENDS_MIN_ACCOUNTS: count({
    describe: 'Accounts that must use a tag or link on a day before it trends, at least 2. Lower it for a community of few people.',
    default: '5',
  }),
  FAN_OUT_MAX_FOLLOWERS: count({
    describe:
      'Followers on this server up to which a post is written to the homes of followers; posts of authors with more are read when a home is read. 0 writes all.',
    default: '0',
  }),
  REMOTE_STATUS_DAYS: count({
    describe:
      'Days after which posts of other servers are deleted, at least 7, if no one here follows their author and nothing here refers to them. 0 keeps all.',
    default: '0',
  }),
  TRANSLATION_PROVIDER: choice(['off', 'deepl', 'libretranslate'], {
    describe: 'Provider that translates public posts.',
    default: 'off',
  }),
  TRANSLATION_URL: optional(url({ describe: 'URL of the provider; required for libretranslate.' })),
  TRANSLATION_KEY: secret(text({ describe: 'API key of the provider; required for deepl.', default: '' })),
}

type Values = {
  TRANSLATION_PROVIDER: 'off' | TranslationConfig['provider']
  TRANSLATION_URL?: string | undefined
  TRANSLATION_KEY: Secret
  TRENDS_MIN_ACCOUNTS: number
  REMOTE_STATUS_DAYS: number
}

/** Checks settings that depend on each other. */
const faultsBetween = ({
  TRANSLATION_PROVIDER,
  TRANSLATION_URL,
  TRANSLATION_KEY,
  TRENDS_MIN_ACCOUNTS,
  REMOTE_STATUS_DAYS = 0,
}: Partial<Values>) =>
  [
    TRANSLATION_PROVIDER === 'libretranslate' && !TRANSLATION_URL && 'TRANSLATION_URL is missing: libretranslate has no default address',
    TRANSLATION_PROVIDER === 'deepl' && !TRANSLATION_KEY?.reveal() && 'TRANSLATION_KEY is missing: deepl requires one',
    // One person's use is no trend: with 1, every score would be zero.
    REMOTE_STATUS_DAYS > 0 && REMOTE_STATUS_DAYS < 7 && 'REMOTE_STATUS_DAYS must be 0 or at least 7',
    TRENDS_MIN_ACCOUNTS !== undefined && TRENDS_MIN_ACCOUNTS < 2 && 'TRENDS_MIN_ACCOUNTS must be at least 2',
  ].filter((fault) => fault !== false)

const translationOf = (values: Values): TranslationConfig | undefined => {
  const { TRANSLATION_PROVIDER: provider, TRANSLATION_URL: address, TRANSLATION_KEY: key } = values
  return provider === 'off' ? undefined : { provider, address: address?.replace(/\/+$/, ''), key }
}

const MEGABYTE = 1024 * 1024

/** Reads the module's settings from an environment. @throws ConfigurationError */
export const readStatusesConfig = (environment: Record<string, string | undefined>): StatusesConfig => {
  const values = readEnvironment(settings, environment, faultsBetween)
  return {
    baseUrl: values.BASE_URL,
    previousBaseUrl: values.PREVIOUS_BASE_URL,
    cacheBytes: values.STATUSES_CACHE_MEGABYTES * MEGABYTE,
    hasCards: values.PREVIEW_CARDS === 'on',
    trends: { mode: values.TRENDS, minAccounts: values.TRENDS_MIN_ACCOUNTS },
    translation: translationOf(values),
    fanOutMaxFollowers: values.FAN_OUT_MAX_FOLLOWERS,
    remoteStatusDays: values.REMOTE_STATUS_DAYS,
  }
}
