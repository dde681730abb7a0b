import { CanonicalEmailBlocksDefinition } from '@rookery/contracts/auth'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import type { LogAct } from '../log-act.ts'
import { canonicalHash } from './address.rules.ts'
import { findCanonicalBlock, readCanonicalBlock, readCanonicalBlockPage } from './canonical-email-block.store.ts'
import { createCanonicalEmailBlock, deleteCanonicalEmailBlock } from './change-canonical-email-blocks.ts'

/** The service CanonicalEmailBlocks (beyond-the-spec 2.6). */
export const createCanonicalEmailBlocksRpc = (deps: { database: Database<AuthTables>; logAct: LogAct }): Handler => {
  const { database } = deps
  const create = createCanonicalEmailBlock(deps)
  const remove = deleteCanonicalEmailBlock(deps)
  return handler(CanonicalEmailBlocksDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readCanonicalBlockPage(database, { page }), (row) => row.id)
      return { blocks: rows, cursors }
    },
    read: async (_call, { id }) => orNotFound((await readCanonicalBlock(database, { id }))[0]),
    create: (call, request) => create(call, request),
    async delete(call, request) {
      await remove(call, request)
      return {}
    },
    test: async (_call, { email }) => ({ blocks: await findCanonicalBlock(database, { hash: canonicalHash(email) }), cursors: undefined }),
  })
}
