import { domainToASCII } from 'node:url'

/** Whom a handle means: without a domain, of this server. */
export type Handle = { username: string; domain?: string }

/** Whom an acct means: `name`, `@name` or `name@domain`, of this server or another; undefined for what is none. */
export const handleIn = (acct: string, baseUrl: string): Handle | undefined => {
  const [username, domain, ...rest] = acct.trim().replace(/^@/, '').split('@')
  if (!username || rest.length > 0) return undefined
  if (domain === undefined) return { username }
  const [, name = '', port = ''] = /^([^:]*)(:\d{1,5})?$/.exec(domain) ?? []
  const host = domainToASCII(name) + port
  if (host === port) return undefined
  return host === new URL(baseUrl).host ? { username } : { username, domain: host }
}
