import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** Rows per statement, so that locks are short. */
const AT_A_TIME = 1000

/**
 * Deletes the matching rows of a table, a thousand per statement. Each statement commits by itself, so an interrupted deletion can
 * continue.
 */
export const deleteInPieces = async (db: QueryExecutorProvider, table: string, condition: RawBuilder<unknown>): Promise<void> => {
  for (let deleted = AT_A_TIME; deleted === AT_A_TIME; ) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(AT_A_TIME)}))`.execute(db)
    deleted = Number(numAffectedRows ?? 0)
  }
}
