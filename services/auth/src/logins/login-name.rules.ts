const USERNAME = /^@?([a-z0-9_]{1,30})$/i

/**
 * The username in what a person typed to say who they are: with or without `@`, and with this server's host behind it or not. Undefined for
 * what can only be an e-mail address.
 */
export const usernameIn = (typed: string, host: string): string | undefined => {
  const suffix = `@${host}`.toLowerCase()
  const local = typed.toLowerCase().endsWith(suffix) ? typed.slice(0, -suffix.length) : typed
  return USERNAME.exec(local)?.[1]
}

/** The name by which tries are counted where no login has it: the same for every spelling, as tries for a login are. */
export const countedName = (typed: string, host: string): string => (usernameIn(typed, host) ?? typed).toLowerCase()
