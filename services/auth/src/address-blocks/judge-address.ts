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

/** An e-mail address, its domain and those of its mail servers, and the network address of the sign-up. */
type JudgedEmail = { email: string; domains: readonly string[]; address: string }

/**
 * Whether sign-ups with an e-mail address are blocked. A sign-up that matches a domain block is counted by its network address, unless that
 * is empty.
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

/** The strictest block of a network address, if any. */
export const severityFor =
  ({ database, clock }: Deps) =>
  async (address: string): Promise<IpBlockSeverity | undefined> => {
    if (!address) return undefined
    const rows = await findSeverities(database, { address, now: new Date(clock.now()) })
    return strictest(rows.map(({ severity }) => severity))
  }

/** The maximum number of networks that processes hold in memory; more should be blocked by a firewall. */
const MAX_BARRED = 10_000

/** The networks without access at present, as `192.0.2.0/24`. */
export const barredNetworks = async (source: Source, clock: Clock): Promise<string[]> =>
  (await readBarredNetworks(source, { now: new Date(clock.now()), max: MAX_BARRED })).map(({ network }) => network)
