import { type Database, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { FederationTables } from '../database/schema.ts'
import type { OtherServers } from './other-servers.ts'

const PURGE_DOMAIN = 'purge-domain'

/** Schedules the removal of all actors of a domain, when the transaction commits. */
export const requestPurge = (tx: Tx<FederationTables>, domain: string): Promise<void> =>
  addJob(tx, 'federation', PURGE_DOMAIN, { domain }, { key: `purge:${domain}` })

/** Removes a batch of actors of a domain, and schedules itself again until none are left. */
export const purgeDomain = ({ database, servers }: { database: Database<FederationTables>; servers: OtherServers }): Job =>
  job<{ domain: string }>({
    name: PURGE_DOMAIN,
    async run({ domain }) {
      if ((await servers.purgeSome(domain)) > 0) await transact(database.db, (tx) => requestPurge(tx, domain))
    },
  })
