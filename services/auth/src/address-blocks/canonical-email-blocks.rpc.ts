import { CanonicalEmailBlocksDefinition } from '@rookery/contracts/auth'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin, type Tx, transact, transactOnce } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import type { LogAct } from '../log-act.ts'
import { canonicalHash, isHash } from './address.rules.ts'
import {
  addCanonicalBlock,
  findCanonicalBlock,
  readCanonicalBlock,
  readCanonicalBlockPage,
  removeCanonicalBlock,
} from './canonical-email-block.store.ts'

/** The hash that is sent, or of the address that is. @throws Failure invalid */
const hashOf = ({ email, hash }: { email: string; hash: string }): string => {
  if (email.trim()) return canonicalHash(email)
  if (!hash) throw invalid("Canonical email hash can't be blank")
  if (!isHash(hash)) throw invalid('Canonical email hash is invalid')
  return hash
}

/** The service `CanonicalEmailBlocks` (beyond-the-spec 2.6). */
export const canonicalEmailBlocksRpc = ({ database, logAct }: { database: Database<AuthTables>; logAct: LogAct }): Handler =>
  handler(CanonicalEmailBlocksDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readCanonicalBlockPage(database, { page }), (row) => row.id)
      return { blocks: rows, cursors }
    },
    read: async (_call, { id }) => orNotFound((await readCanonicalBlock(database, { id }))[0]),
    create: (_call, request) =>
      transact(database.db, async (tx) => {
        const block = await addCanonicalBlock(tx, hashOf(request))
        await logAct(tx, { staffId: request.staffId, action: 'create_canonical_email_block', target: block.hash })
        return block
      }),
    async delete(call, { id, staffId }) {
      const remove = async (tx: Tx<AuthTables>) => {
        const hash = await removeCanonicalBlock(tx, id)
        if (hash !== undefined) await logAct(tx, { staffId, action: 'delete_canonical_email_block', target: hash })
        return hash
      }
      orNotFound(await transactOnce(database.db, { call, step: 'delete-canonical-email-block' }, remove))
      return {}
    },
    test: async (_call, { email }) => ({ blocks: await findCanonicalBlock(database, { hash: canonicalHash(email) }), cursors: undefined }),
  })
