import { choice, count, origin, readEnvironment } from '@rookery/runtime'

/** What the module needs to know of its server. */
export type StatusesConfig = {
  /** The public address, without a trailing slash. */
  baseUrl: string
  /** Entries kept in each cache of bodies, accounts and viewers' contexts. */
  cacheEntries: number
  /** Whether pages that statuses link to are asked for what they say of themselves. */
  hasCards: boolean
}

export const settings = {
  BASE_URL: origin({ describe: 'The address the public knows the server by.' }),
  STATUSES_CACHE_ENTRIES: count({ describe: 'Statuses, accounts and viewers kept in memory, each.', default: '10000' }),
  PREVIEW_CARDS: choice(['on', 'off'], {
    describe: 'Whether the server asks the pages that posts link to for a title and a picture to show.',
    default: 'on',
  }),
}

/** Reads the module's part of an environment. @throws ConfigurationError */
export const readStatusesConfig = (environment: Record<string, string | undefined>): StatusesConfig => {
  const values = readEnvironment(settings, environment)
  return { baseUrl: values.BASE_URL, cacheEntries: values.STATUSES_CACHE_ENTRIES, hasCards: values.PREVIEW_CARDS === 'on' }
}
