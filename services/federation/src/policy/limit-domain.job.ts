import type { LimitDomainRequest, RemoteAccountsDefinition } from '@rookery/contracts/statuses'
import type { Database, Tx } from '@rookery/database'
import { addJob, addJobs, type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import type { FederationTables } from '../database/schema.ts'
import { ownCall } from '../own-call.ts'
import { limitsAfter } from './domain-block.rules.ts'
import { markApplied, readAllBlocks } from './domain-block.store.ts'

const LIMIT_DOMAIN = 'limit-domain'
/** Schedules applying the limits of a domain to its accounts, when the transaction commits. */
export const limitDomainSoon = (tx: Tx<FederationTables>, domain: string): Promise<void> =>
  addJob(tx, 'federation', LIMIT_DOMAIN, { domain }, { key: `limit:${domain}` })

/** The same for several domains. */
export const limitDomainsSoon = (tx: Tx<FederationTables>, domains: readonly string[]): Promise<void> =>
  addJobs(
    tx,
    'federation',
    LIMIT_DOMAIN,
    domains.map((domain) => ({ payload: { domain }, key: `limit:${domain}` })),
  )

type Deps = { database: Database<FederationTables>; statuses: { remoteAccounts: Client<RemoteAccountsDefinition> } }

/**
 * Applies the limits of a domain and its subdomains to their accounts in statuses, by the current blocks. Limits of subdomains are applied
 * after those of their parents.
 */
export const limitDomain = ({ database, statuses }: Deps): Job =>
  job<{ domain: string }>({
    name: LIMIT_DOMAIN,
    async run({ domain }) {
      const limits: LimitDomainRequest[] = limitsAfter(domain, await readAllBlocks(database, {}))
      for (const limit of limits) await statuses.remoteAccounts.limitDomain(ownCall(), limit)
      await markApplied(
        database,
        limits.map((limit) => limit.domain),
      )
    },
  })
