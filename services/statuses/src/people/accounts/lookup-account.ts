import { domainToASCII } from 'node:url'

/** A parsed handle; local if it has no domain. */
export type Handle = { username: string; domain?: string }

/** Parses an acct: `name`, `@name` or `name@domain`, local or remote; undefined if invalid. */
export const handleIn = (acct: string, baseUrl: string): Handle | undefined => {
  const [username, domain, ...rest] = acct.trim().replace(/^@/, '').split('@')
  if (!username || rest.length > 0) return undefined
  if (domain === undefined) return { username }
  const [, name = '', port = ''] = /^([^:]*)(:\d{1,5})?$/.exec(domain) ?? []
  const host = domainToASCII(name) + port
  if (host === port) return undefined
  return host === new URL(baseUrl).host ? { username } : { username, domain: host }
}
