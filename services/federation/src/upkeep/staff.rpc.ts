import { FederationStaffDefinition, type StaffDomainRequest } from '@rookery/contracts/federation'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { FederationTables } from '../database/schema.ts'
import { staffActed } from '../staff-acted.ts'
import { named, type OtherServers } from './other-servers.ts'
import { requestPurge } from './purge-domain.job.ts'

type Deps = { servers: OtherServers; database: Database<FederationTables>; outbox: Outbox }

/** The calls of federation.v1.FederationStaff. */
export const createFederationStaffRpc = ({ servers, database, outbox }: Deps): Handler => {
  const noted =
    (action: string, { domain, staffId }: StaffDomainRequest) =>
    (tx: Tx<FederationTables>): Promise<void> =>
      outbox.append(tx, [staffActed({ staffId, action, target: domain.trim().toLowerCase() })])

  return handler(FederationStaffDefinition, {
    listPeers: (_call, request) => servers.listPeers(request),
    listDeliveries: (_call, request) => servers.listDeliveries(request),
    retry: async (_call, request) => ({ count: await servers.retry(request.domain, noted('retry_deliveries', request)) }),
    drop: async (_call, request) => ({ count: await servers.drop(request.domain, noted('drop_deliveries', request)) }),
    refresh: (_call, request) => servers.refresh(request),
    async purge(_call, request) {
      const domain = named(request.domain)
      await transact(database.db, async (tx) => {
        await requestPurge(tx, domain)
        await noted('purge_domain', request)(tx)
      })
      return {}
    },
  })
}
