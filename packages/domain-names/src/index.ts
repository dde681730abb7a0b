import { domainToASCII } from 'node:url'
import { invalid } from '@rookery/failures'

export { CSV_HEADER, csvLineOf, domainLines } from './domain-csv.rules.ts'

const MAX_CHARACTERS = 253
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** At least two labels, the last of which is not a number: an IP address is not a name (RFC 1123, 2.1). */
const NAME = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`)

/** Characters that would end the name in a URL. */
const BEHIND_NAMES = /[/?#\\%]/

/** A domain name as typed, in ASCII and lower case (RFC 5890); undefined if it is not one. */
export const domainName = (typed: string): string | undefined => {
  if (BEHIND_NAMES.test(typed)) return undefined
  const name = domainToASCII(typed.trim().replace(/\.$/, ''))
  return name.length <= MAX_CHARACTERS && NAME.test(name) ? name : undefined
}

/** The domain of an account as it is stored: in ASCII and lower case (RFC 5890), with its port if it has one; undefined if it is not one. */
export const accountDomain = (typed: string): string | undefined => {
  const [, host = '', port = ''] = /^(.*?)(:\d{1,5})?$/.exec(typed.trim()) ?? []
  const name = domainToASCII(host)
  return name ? name + port : undefined
}

/** A domain name as typed. @throws Failure invalid if it is not one */
export const typedDomain = (typed: string): string => {
  if (!typed.trim()) throw invalid("Domain can't be blank")
  const name = domainName(typed)
  if (name === undefined) throw invalid('Domain is not a valid domain name')
  return name
}

/** The domain name of another server, as typed. @throws Failure invalid if it is not one, or is that of `baseUrl` */
export const otherServer = (typed: string, baseUrl: string): string => {
  const name = typedDomain(typed)
  if (name === new URL(baseUrl).hostname) throw invalid('Domain is the name of this server')
  return name
}

/**
 * The domain of a host and its parent domains, the most specific first: what is decided for a domain holds for its subdomains. A trailing
 * dot and a port are ignored.
 */
export const coveringDomains = (host: string): string[] => {
  const labels = host.replace(/:\d+$/, '').replace(/\.$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** The decision for the most specific domain that covers a host; undefined if there is none. */
export const decisionFor = <Decision>(host: string, decisions: ReadonlyMap<string, Decision>): Decision | undefined => {
  const covering = coveringDomains(host).find((each) => decisions.has(each))
  return covering === undefined ? undefined : decisions.get(covering)
}
