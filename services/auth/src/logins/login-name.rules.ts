const USERNAME = /^@?([a-z0-9_]{1,30})$/i

/**
 * The username in what was typed as a login name, with or without `@` and this server's host. Undefined if it can only be an e-mail
 * address.
 */
export const usernameIn = (typed: string, host: string): string | undefined => {
  const suffix = `@${host}`.toLowerCase()
  const local = typed.toLowerCase().endsWith(suffix) ? typed.slice(0, -suffix.length) : typed
  return USERNAME.exec(local)?.[1]
}

/** The key of the rate limit for unknown logins: equal for all spellings of a name, as for known ones. */
export const countedName = (typed: string, host: string): string => (usernameIn(typed, host) ?? typed).toLowerCase()
