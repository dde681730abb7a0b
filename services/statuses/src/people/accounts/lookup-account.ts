import { accountDomain } from '@rookery/domain-names'

/** A parsed handle; local if it has no domain. */
export type Handle = { username: string; domain?: string }

/** Parses an acct: `name`, `@name` or `name@domain`, local or remote; undefined if invalid. */
export const handleIn = (acct: string, baseUrl: string): Handle | undefined => {
  const [username, domain, ...rest] = acct.trim().replace(/^@/, '').split('@')
  if (!username || rest.length > 0) return undefined
  if (domain === undefined) return { username }
  const host = accountDomain(domain)
  if (host === undefined) return undefined
  return host === new URL(baseUrl).host ? { username } : { username, domain: host }
}
