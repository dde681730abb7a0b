import type { Resolver } from 'node:dns/promises'

/** Asks the DNS; node:dns/promises and its Resolver are such. */
export type MailResolver = Pick<Resolver, 'resolveMx' | 'resolve4' | 'resolve6'>

/** Answers that say there is nothing. Any other fault is the DNS's own and must not keep people out. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

const found = async <Entry>(answer: Promise<Entry[]>): Promise<Entry[]> => {
  try {
    return await answer
  } catch (error) {
    if (NOTHING.has((error as { code?: string }).code ?? '')) return []
    throw error
  }
}

/** A single MX record with no name says that the domain takes no mail (RFC 7505). */
const takesNoMail = (records: readonly { exchange: string }[]) => records.length === 1 && /^\.?$/.test(records[0]?.exchange ?? '')

/** Where mail to a domain goes. */
type MailRoute = { isReachable: boolean; servers: string[] }

/**
 * Whether mail to a domain could arrive, which it does with an MX, A or AAAA record (spec, ERR_UNREACHABLE), and the names of the servers that
 * its MX records give. A silent DNS counts as reachable.
 */
export const lookUpMail = async (resolver: MailResolver, domain: string): Promise<MailRoute> => {
  try {
    const exchanges = await found(resolver.resolveMx(domain))
    const servers = exchanges.map(({ exchange }) => exchange.replace(/\.$/, '')).filter(Boolean)
    if (exchanges.length > 0) return { isReachable: !takesNoMail(exchanges), servers }
    const hasAddress = (await found(resolver.resolve4(domain))).length > 0 || (await found(resolver.resolve6(domain))).length > 0
    return { isReachable: hasAddress, servers: [] }
  } catch {
    return { isReachable: true, servers: [] }
  }
}
