import type { Resolver } from 'node:dns/promises'

/** A DNS client, such as node:dns/promises and its Resolver. */
export type MailResolver = Pick<Resolver, 'resolveMx' | 'resolve4' | 'resolve6'>

/** Error codes for a missing record. Other DNS errors must not refuse sign-ups. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

const found = async <Entry>(answer: Promise<Entry[]>): Promise<Entry[]> => {
  try {
    return await answer
  } catch (error) {
    if (NOTHING.has((error as { code?: string }).code ?? '')) return []
    throw error
  }
}

/** A null MX record: the domain accepts no mail (RFC 7505). */
const takesNoMail = (records: readonly { exchange: string }[]) => records.length === 1 && /^\.?$/.test(records[0]?.exchange ?? '')

/** Whether a domain accepts mail, and its mail servers. */
type MailRoute = { isReachable: boolean; servers: string[] }

/**
 * Whether a domain can receive mail, which needs an MX, A or AAAA record (spec, ERR_UNREACHABLE), and the servers of its MX records. If the
 * DNS fails, the domain counts as reachable.
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
