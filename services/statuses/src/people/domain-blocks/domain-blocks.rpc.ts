import { PAGE_SIZES } from '@rookery/contracts/limits'
import { DomainBlocksDefinition } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import { acknowledging, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { blockDomain, previewDomainBlock, unblockDomain } from './block-domain.ts'
import { readDomainBlocks } from './domain-block.store.ts'

/** Serves DomainBlocks of the contract: the domain blocks of single accounts. */
export const createDomainBlocksRpc = (deps: {
  database: Database<StatusesTables>
  clock: Clock
  outbox: Outbox
  ids: Ids
  baseUrl: string
}): Handler => {
  const block = blockDomain(deps)
  const unblock = unblockDomain(deps)
  const preview = previewDomainBlock(deps)
  return handler(DomainBlocksDefinition, {
    list: async (_call, { viewerId, page: wanted }) => {
      const page = pageWithin(PAGE_SIZES.domains, wanted)
      const { rows, cursors } = cursorsOf(page, await readDomainBlocks(deps.database, { accountId: viewerId, page }), (row) => row.id)
      return { domains: rows.map((row) => row.domain), cursors }
    },
    block: acknowledging(block),
    unblock: acknowledging(unblock),
    preview: (_call, request) => preview(request),
  })
}
