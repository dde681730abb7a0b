import { type AllowedDomain, AllowedDomainsDefinition } from '@rookery/contracts/federation'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin, transact } from '@rookery/database'
import { otherServer } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { staffActed } from '../staff-acted.ts'
import { addAllow, type DomainAllowRow, readAllow, readAllowPage, removeAllow } from './domain-allow.store.ts'

const viewOf = ({ id, domain, createdAt }: DomainAllowRow): AllowedDomain => ({ id, domain, createdAtMilliseconds: createdAt.getTime() })

/** The service `AllowedDomains` (spec, Admin: domain allows). */
export const allowedDomainsHandler = (deps: {
  database: Database<FederationTables>
  outbox: Outbox
  clock: Clock
  baseUrl: string
}): Handler => {
  const { database, outbox, clock, baseUrl } = deps
  return handler(AllowedDomainsDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readAllowPage(database, { page }), (row) => row.id)
      return { allows: rows.map(viewOf), cursors }
    },
    read: async (_call, { id }) => viewOf(orNotFound((await readAllow(database, { id }))[0])),
    async create(_call, request) {
      const domain = otherServer(request.domain, baseUrl)
      const allow = await transact(database.db, async (tx) => {
        await outbox.append(tx, [staffActed({ staffId: request.staffId, action: 'create_domain_allow', target: domain })])
        return addAllow(tx, { domain, createdAt: new Date(clock.now()) })
      })
      return viewOf(allow)
    },
    async delete(_call, { id, staffId }) {
      const removed = await transact(database.db, async (tx) => {
        const allow = await removeAllow(tx, id)
        if (allow) await outbox.append(tx, [staffActed({ staffId, action: 'delete_domain_allow', target: allow.domain })])
        return allow
      })
      return viewOf(orNotFound(removed))
    },
  })
}
