import { type Database, type Tx, transact } from '@rookery/database'
import { addJob, type Job, job } from '@rookery/jobs'
import type { FederationTables } from '../database/schema.ts'
import type { OtherServers } from './other-servers.ts'

const PURGE_DOMAIN = 'purge-domain'

/** Has the people of a domain removed, once the transaction commits. */
export const requestPurge = (tx: Tx<FederationTables>, domain: string): Promise<void> =>
  addJob(tx, 'federation', PURGE_DOMAIN, { domain }, { key: `purge:${domain}` })

/** Removes some of the people of a domain, and goes on in a job of its own while there are more. */
export const purgeDomain = ({ database, servers }: { database: Database<FederationTables>; servers: OtherServers }): Job =>
  job<{ domain: string }>({
    name: PURGE_DOMAIN,
    async run({ domain }) {
      if ((await servers.purgeSome(domain)) > 0) await transact(database.db, (tx) => requestPurge(tx, domain))
    },
  })
