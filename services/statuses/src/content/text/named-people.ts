import { accountDomain } from '@rookery/domain-names'
import { mentionsIn } from '@rookery/markup'
import type { StoredOrigin } from '../../database/tables/status.ts'

/** A mention in a text: as rendering looks it up, in lower case, and as accounts are stored. */
type Named = { typed: string; username: string; domain: string | null }

/** The accounts a text mentions, as parameters of statements: local, remote, and the handles of all in the order of the text. */
export type Naming = {
  usernames: readonly string[]
  remoteUsernames: readonly string[]
  remoteDomains: readonly string[]
  handles: readonly string[]
}

const namedIn = (text: string, ownDomain: string): Named[] =>
  mentionsIn(text).map(({ username, domain }) => {
    const ascii = domain === undefined ? ownDomain : (accountDomain(domain) ?? domain)
    return ascii === ownDomain ? { typed: username, username, domain: null } : { typed: `${username}@${domain}`, username, domain: ascii }
  })

const handleOf = ({ username, domain }: { username: string; domain: string | null }): string =>
  domain === null ? username.toLowerCase() : `${username.toLowerCase()}@${domain}`

/** The distinct mentions of a text; usernames in lower case. */
export const namingOf = (text: string, ownDomain: string): Naming => {
  const named = [...new Map(namedIn(text, ownDomain).map((each) => [handleOf(each), each])).values()]
  const remote = named.filter(({ domain }) => domain !== null)
  return {
    usernames: named.filter(({ domain }) => domain === null).map(({ username }) => username),
    remoteUsernames: remote.map(({ username }) => username),
    remoteDomains: remote.map(({ domain }) => domain ?? ''),
    handles: named.map(handleOf),
  }
}

export const NO_NAMING: Naming = { usernames: [], remoteUsernames: [], remoteDomains: [], handles: [] }

/** An account that may be mentioned. */
export type Mentionable = { id: string; username: string; origin?: StoredOrigin | null }

/** The given accounts that a text mentions, keyed as rendering looks them up. */
export const mentionsOf = (
  text: string,
  people: readonly Mentionable[],
  ownDomain: string,
): Map<string, { id: string; username: string; url?: string }> => {
  const byHandle = new Map(people.map((person) => [handleOf({ username: person.username, domain: person.origin?.domain ?? null }), person]))
  return new Map(
    namedIn(text, ownDomain).flatMap((named) => {
      const person = byHandle.get(handleOf(named))
      if (!person) return []
      const { id, username, origin } = person
      return [[named.typed, { id, username, ...(origin ? { url: origin.url } : {}) }] as const]
    }),
  )
}
