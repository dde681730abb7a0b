import { type AllowedDomain, AllowedDomainsDefinition } from '@rookery/contracts/federation'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin, transact } from '@rookery/database'
import { otherServer } from '@rookery/domain-names'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { addAllow, type DomainAllowRow, readAllow, readAllowPage, removeAllow } from './domain-allow.store.ts'

const viewOf = ({ id, domain, createdAt }: DomainAllowRow): AllowedDomain => ({ id, domain, createdAtMilliseconds: createdAt.getTime() })

/** The service `AllowedDomains` (spec, Admin: domain allows). */
export const allowedDomainsHandler = (deps: { database: Database<FederationTables>; clock: Clock; baseUrl: string }): Handler => {
  const { database, clock, baseUrl } = deps
  return handler(AllowedDomainsDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readAllowPage(database, { page }), (row) => row.id)
      return { allows: rows.map(viewOf), cursors }
    },
    read: async (_call, { id }) => viewOf(orNotFound((await readAllow(database, { id }))[0])),
    async create(_call, request) {
      const domain = otherServer(request.domain, baseUrl)
      return viewOf(await transact(database.db, (tx) => addAllow(tx, { domain, createdAt: new Date(clock.now()) })))
    },
    delete: async (_call, { id }) => viewOf(orNotFound(await transact(database.db, (tx) => removeAllow(tx, id)))),
  })
}
