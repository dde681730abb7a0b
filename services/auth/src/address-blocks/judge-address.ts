import type { Database, Source } from '@rookery/database'
import { coveringDomains } from '@rookery/domain-names'
import { type Clock, dayOf } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { IpBlockSeverity } from '../database/tables/address-block.ts'
import { canonicalHash, strictest } from './address.rules.ts'
import { findCanonicalBlock } from './canonical-email-block.store.ts'
import { countUse, findEmailDomainBlocks } from './email-domain-block.store.ts'
import { findSeverities, readBarredNetworks } from './ip-block.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock }

/** What of an e-mail address may be blocked: itself, and the domains it and its mail servers are of. */
type JudgedEmail = { email: string; domains: readonly string[]; address: string }

/**
 * Whether sign-ups with an e-mail address are blocked. A sign-up that a domain's block refuses is counted by its network address; an empty
 * one is not counted.
 */
export const isEmailBlocked =
  ({ database, clock }: Deps) =>
  async ({ email, domains, address }: JudgedEmail): Promise<boolean> => {
    const names = [...new Set(domains.flatMap((domain) => coveringDomains(domain.toLowerCase())))]
    const [blocks, canonical] = await Promise.all([
      findEmailDomainBlocks(database, { domains: names }),
      findCanonicalBlock(database, { hash: canonicalHash(email) }),
    ])
    if (address) await Promise.all(blocks.map(({ id }) => countUse(database, { id, day: dayOf(clock.now()), address })))
    return blocks.length > 0 || canonical.length > 0
  }

/** The strictest of the blocks that apply to a network address. */
export const severityFor =
  ({ database, clock }: Deps) =>
  async (address: string): Promise<IpBlockSeverity | undefined> => {
    if (!address) return undefined
    const rows = await findSeverities(database, { address, now: new Date(clock.now()) })
    return strictest(rows.map(({ severity }) => severity))
  }

/** What a process holds in memory; more networks than that are a matter for the router. */
const MAX_BARRED = 10_000

/** The networks without any access now, as `192.0.2.0/24`. */
export const barredNetworks = async (source: Source, clock: Clock): Promise<string[]> =>
  (await readBarredNetworks(source, { now: new Date(clock.now()), max: MAX_BARRED })).map(({ network }) => network)
