import { type AllowedDomain, AllowedDomainsDefinition } from '@rookery/contracts/federation'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { createDomainAllow, deleteDomainAllow } from './change-domain-allows.ts'
import { type DomainAllowRow, readAllow, readAllowPage } from './domain-allow.store.ts'

const viewOf = ({ id, domain, createdAt }: DomainAllowRow): AllowedDomain => ({ id, domain, createdAtMilliseconds: createdAt.getTime() })

/** The calls of federation.v1.AllowedDomains (spec, Admin: domain allows). */
export const createAllowedDomainsRpc = (deps: {
  database: Database<FederationTables>
  outbox: Outbox
  clock: Clock
  baseUrl: string
}): Handler => {
  const { database } = deps
  const create = createDomainAllow(deps)
  const remove = deleteDomainAllow(deps)
  return handler(AllowedDomainsDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readAllowPage(database, { page }), (row) => row.id)
      return { allows: rows.map(viewOf), cursors }
    },
    read: async (_call, { id }) => viewOf(orNotFound((await readAllow(database, { id }))[0])),
    create: async (_call, { domain, staffId }) => viewOf(await create(domain, staffId)),
    delete: async (_call, { id, staffId }) => viewOf(await remove(id, staffId)),
  })
}
