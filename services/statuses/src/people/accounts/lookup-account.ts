/** The username an acct means on this server: `name`, `@name` or `name@domain`; undefined for another server's (beyond-the-spec 1.16). */
export const localUsername = (acct: string, baseUrl: string): string | undefined => {
  const [username, domain, ...rest] = acct.trim().replace(/^@/, '').split('@')
  if (!username || rest.length > 0) return undefined
  return domain === undefined || domain.toLowerCase() === new URL(baseUrl).host ? username : undefined
}
