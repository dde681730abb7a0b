import { type Database, type Tx, transactOnce } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import type { LogAct } from '../log-act.ts'
import { canonicalHash, isHash } from './address.rules.ts'
import { addCanonicalBlock, removeCanonicalBlock } from './canonical-email-block.store.ts'

type Deps = { database: Database<AuthTables>; logAct: LogAct }

/** The hash of the given address, else the given hash. @throws Failure invalid */
const hashOf = ({ email, hash }: { email: string; hash: string }): string => {
  if (email.trim()) return canonicalHash(email)
  if (!hash) throw invalid("Canonical email hash can't be blank")
  if (!isHash(hash)) throw invalid('Canonical email hash is invalid')
  return hash
}

/** Blocks a mailbox (beyond-the-spec 2.6). @throws Failure invalid, also if it is already blocked */
export const createCanonicalEmailBlock =
  ({ database, logAct }: Deps) =>
  async (call: Call, request: { email: string; hash: string; staffId: string }): Promise<{ id: string; hash: string }> => {
    const hash = hashOf(request)
    const id = await transactOnce(database.db, { call, step: 'create-canonical-email-block' }, async (tx) => {
      const added = await addCanonicalBlock(tx, hash)
      if (added) await logAct(tx, { staffId: request.staffId, action: 'create_canonical_email_block', target: hash })
      return added
    })
    if (!id) throw invalid('Canonical email hash has already been taken')
    return { id, hash }
  }

/** Deletes a block. @throws Failure not_found */
export const deleteCanonicalEmailBlock =
  ({ database, logAct }: Deps) =>
  async (call: Call, { id, staffId }: { id: string; staffId: string }): Promise<void> => {
    const remove = async (tx: Tx<AuthTables>) => {
      const hash = await removeCanonicalBlock(tx, id)
      if (hash !== undefined) await logAct(tx, { staffId, action: 'delete_canonical_email_block', target: hash })
      return hash
    }
    orNotFound(await transactOnce(database.db, { call, step: 'delete-canonical-email-block' }, remove))
  }
