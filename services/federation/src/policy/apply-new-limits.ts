import type { RemoteAccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { coveringDomains } from '@rookery/domain-names'
import type { Client } from '@rookery/rpc'
import type { FederationTables } from '../database/schema.ts'
import { ownCall } from '../own-call.ts'
import { limitsOf } from './domain-block.rules.ts'
import { readUnapplied } from './domain-block.store.ts'
import { limitDomainsSoon } from './limit-domain.job.ts'

/** Applies the limits on a domain that statuses does not know yet. */
export type ApplyNewLimits = (host: string) => Promise<void>

/**
 * An import applies limits only to domains with known accounts, since lists are long. The others are applied here, before the first account of a
 * domain is opened. One statement if there are none. The job applies them again: a block may change meanwhile.
 */
export const applyNewLimits =
  ({
    database,
    statuses,
  }: {
    database: Database<FederationTables>
    statuses: { remoteAccounts: Client<RemoteAccountsDefinition> }
  }): ApplyNewLimits =>
  async (host) => {
    const blocks = await readUnapplied(database, { domains: coveringDomains(host) })
    if (blocks.length === 0) return
    const domains = blocks.map(({ domain }) => domain)
    for (const domain of domains) await statuses.remoteAccounts.limitDomain(ownCall(), limitsOf(domain, blocks))
    await transact(database.db, (tx) => limitDomainsSoon(tx, domains))
  }
