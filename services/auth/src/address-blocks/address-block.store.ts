import type { InsertQueryBuilder, InsertResult } from 'kysely'
import type { AuthTables } from '../database/schema.ts'

type Block = 'canonicalEmailBlock' | 'emailDomainBlock' | 'ipBlock'

/** Inserts a block and returns its id; undefined if there already is one for the same address. */
export const insertUnlessThere = async <Table extends Block>(
  insert: InsertQueryBuilder<AuthTables, Table, InsertResult>,
): Promise<string | undefined> => {
  const added = await insert
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}
