import { count, origin, readEnvironment } from '@rookery/runtime'

/** What the module needs to know of its server. */
export type StatusesConfig = {
  /** The public address, without a trailing slash. */
  baseUrl: string
  /** Entries kept in each cache of bodies, accounts and viewers' contexts. */
  cacheEntries: number
}

export const settings = {
  BASE_URL: origin({ describe: 'The address the public knows the server by.' }),
  STATUSES_CACHE_ENTRIES: count({ describe: 'Statuses, accounts and viewers kept in memory, each.', default: '10000' }),
}

/** Reads the module's part of an environment. @throws ConfigurationError */
export const readStatusesConfig = (environment: Record<string, string | undefined>): StatusesConfig => {
  const values = readEnvironment(settings, environment)
  return { baseUrl: values.BASE_URL, cacheEntries: values.STATUSES_CACHE_ENTRIES }
}
