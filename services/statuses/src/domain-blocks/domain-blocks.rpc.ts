import { DomainBlocksDefinition } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { blockDomain, previewDomainBlock, unblockDomain } from './block-domain.ts'
import { readDomainBlocks } from './domain-block.store.ts'

const WHOLE: Page = { limit: 100 }

/** Servers people shut out, each for themselves. */
export const createDomainBlocksRpc = (given: { database: Database<StatusesTables>; clock: Clock; baseUrl: string }): Handler => {
  const block = blockDomain(given)
  const unblock = unblockDomain(given)
  const preview = previewDomainBlock(given)
  return handler(DomainBlocksDefinition, {
    list: async (_call, { viewerId, page = WHOLE }) => {
      const { rows, cursors } = cursorsOf(page, await readDomainBlocks(given.database, viewerId, page), (row) => row.id)
      return { domains: rows.map((row) => row.domain), cursors }
    },
    block: async (_call, request) => {
      await block(request)
      return {}
    },
    unblock: async (_call, request) => {
      await unblock(request)
      return {}
    },
    preview: async (_call, request) => preview(request),
  })
}
