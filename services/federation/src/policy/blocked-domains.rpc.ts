import { BlockedDomainsDefinition } from '@rookery/contracts/federation'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { changeDomainBlock, createDomainBlock, deleteDomainBlock } from './change-domain-blocks.ts'
import { staffView } from './domain-block.rules.ts'
import { readBlock, readBlockPage } from './domain-block.store.ts'

/** The calls of federation.v1.BlockedDomains (spec, Admin: domain blocks). */
export const createBlockedDomainsRpc = (deps: {
  database: Database<FederationTables>
  outbox: Outbox
  clock: Clock
  baseUrl: string
}): Handler => {
  const create = createDomainBlock(deps)
  const change = changeDomainBlock(deps)
  const remove = deleteDomainBlock(deps)
  return handler(BlockedDomainsDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readBlockPage(deps.database, { page }), (row) => row.id)
      return { blocks: rows.map(staffView), cursors }
    },
    read: async (_call, { id }) => staffView(orNotFound((await readBlock(deps.database, { id }))[0])),
    create: (_call, { domain, settings, staffId }) => create(domain, settings ?? {}, staffId),
    change: (_call, { id, settings, staffId }) => change(id, settings ?? {}, staffId),
    async delete(_call, { id, staffId }) {
      await remove(id, staffId)
      return {}
    },
  })
}
