import { domainToASCII } from 'node:url'
import { invalid } from '@rookery/failures'

export { CSV_HEADER, csvLineOf, domainLines } from './domain-csv.rules.ts'

const MAX_CHARACTERS = 253
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** At least two labels, the last of which is no number: an address of the network is no name (RFC 1123, 2.1). */
const NAME = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`)

/** What would end the name where an address is expected. */
const BEHIND_NAMES = /[/?#\\%]/

/** The name of a server as typed, in ASCII and lower case (RFC 5890); undefined for what is none. */
export const domainName = (typed: string): string | undefined => {
  if (BEHIND_NAMES.test(typed)) return undefined
  const name = domainToASCII(typed.trim().replace(/\.$/, ''))
  return name.length <= MAX_CHARACTERS && NAME.test(name) ? name : undefined
}

/** The name of a server as typed. @throws Failure invalid for what names none */
export const typedDomain = (typed: string): string => {
  if (!typed.trim()) throw invalid("Domain can't be blank")
  const name = domainName(typed)
  if (name === undefined) throw invalid('Domain is not a valid domain name')
  return name
}

/** The name of a server that is not the one at `baseUrl`, as typed. @throws Failure invalid for what names none, or this one */
export const otherServer = (typed: string, baseUrl: string): string => {
  const name = typedDomain(typed)
  if (name === new URL(baseUrl).hostname) throw invalid('Domain is the name of this server')
  return name
}

/**
 * The domain of a host and those above it, the most specific first: what is said of a domain is said of its subdomains, also where it is written
 * with the dot of the root. A port is no part of it.
 */
export const coveringDomains = (host: string): string[] => {
  const labels = host.replace(/:\d+$/, '').replace(/\.$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** What was decided of the most specific domain that covers a host; undefined where nothing was decided of any. */
export const decisionFor = <Decision>(host: string, decisions: ReadonlyMap<string, Decision>): Decision | undefined => {
  const covering = coveringDomains(host).find((each) => decisions.has(each))
  return covering === undefined ? undefined : decisions.get(covering)
}
