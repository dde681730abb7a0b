import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** Rows that one statement deletes: the locks of each end soon. */
const AT_A_TIME = 1000

/** Deletes the rows of a table that fit a condition, a thousand a statement. Each is kept by itself, so it goes on wherever it stopped. */
export const deleteInPieces = async (db: QueryExecutorProvider, table: string, condition: RawBuilder<unknown>): Promise<void> => {
  for (let deleted = AT_A_TIME; deleted === AT_A_TIME; ) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(AT_A_TIME)}))`.execute(db)
    deleted = Number(numAffectedRows ?? 0)
  }
}
