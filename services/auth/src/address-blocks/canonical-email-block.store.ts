import { prepared, preparedPage, type Tx } from '@rookery/database'
import { query } from '../database/query.ts'
import type { AuthTables } from '../database/schema.ts'
import { insertUnlessThere } from './address-block.store.ts'

/** A page of blocks, latest first; a page by min_id is oldest first. */
export const readCanonicalBlockPage = preparedPage('canonical-email-blocks.list', (_, { order, below, above, limit }) =>
  query.selectFrom('canonicalEmailBlock').selectAll().where('id', '<', below).where('id', '>', above).orderBy('id', order).limit(limit),
)

export const readCanonicalBlock = prepared('canonical-email-blocks.read', ({ id }: { id: string }) =>
  query.selectFrom('canonicalEmailBlock').selectAll().where('id', '=', id),
)

/** The block of a mailbox, if any. */
export const findCanonicalBlock = prepared('canonical-email-blocks.find', ({ hash }: { hash: string }) =>
  query.selectFrom('canonicalEmailBlock').selectAll().where('hash', '=', hash),
)

/** Blocks a mailbox and returns the block's id; undefined if it is already blocked. */
export const addCanonicalBlock = async (tx: Tx<AuthTables>, hash: string): Promise<string | undefined> => {
  return insertUnlessThere(tx.insertInto('canonicalEmailBlock').values({ hash }))
}

/** Deletes a block and returns its hash; undefined if there was none. */
export const removeCanonicalBlock = async (tx: Tx<AuthTables>, id: string): Promise<string | undefined> =>
  (await tx.deleteFrom('canonicalEmailBlock').where('id', '=', id).returning('hash').executeTakeFirst())?.hash
