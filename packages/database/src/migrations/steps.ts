import { type Kysely, sql } from 'kysely'

/**
 * Creates an index of a table that is in use, while it is read and written. For steps with `isTransactional: false`; what an earlier try left
 * behind is made again.
 */
export const createIndexConcurrently = async <Tables>(
  db: Kysely<Tables>,
  { name, on, isUnique = false }: { name: string; on: string; isUnique?: boolean },
): Promise<void> => {
  await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
  await sql`create ${sql.raw(isUnique ? 'unique index' : 'index')} concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
}

/**
 * Repeats a statement that changes a limited number of rows until there are none left, so that no row is locked for long. For steps with
 * `isTransactional: false`.
 */
export const changeInPieces = async <Tables>(db: Kysely<Tables>, text: string): Promise<void> => {
  while (((await sql.raw(text).execute(db)).numAffectedRows ?? 0n) > 0n);
}
