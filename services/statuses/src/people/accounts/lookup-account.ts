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

/** The username an acct means on this server: `name`, `@name` or `name@domain`; undefined for another server's (beyond-the-spec 1.16). */
export const localUsername = (acct: string, baseUrl: string): string | undefined => {
  const [username, domain, ...rest] = acct.trim().replace(/^@/, '').split('@')
  if (!username || rest.length > 0) return undefined
  return domain === undefined || domain.toLowerCase() === new URL(baseUrl).host ? username : undefined
}
