import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from './migration-set.ts'

/**
 * Creates an index without blocking reads and writes of its table. For steps with `isTransactional: false`; replaces an invalid index that
 * an earlier attempt left behind.
 */
export const createIndexConcurrently = async <Tables>(
  db: Kysely<Tables>,
  { name, on, isUnique = false }: { name: string; on: string; isUnique?: boolean },
): Promise<void> => {
  await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
  await sql`create ${sql.raw(isUnique ? 'unique index' : 'index')} concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
}

/**
 * Repeats a statement that changes a limited number of rows until it changes none, so that no row is locked for long. For steps with
 * `isTransactional: false`.
 */
export const changeInPieces = async <Tables>(db: Kysely<Tables>, text: string): Promise<void> => {
  while (((await sql.raw(text).execute(db)).numAffectedRows ?? 0n) > 0n);
}

/**
 * How many rows per id the planner shall assume, whatever the statistics say: it then plans as in the tests, which cover all sizes of
 * tables.
 */
const ROWS_OF_AN_ID = 50

const IDS_WITHOUT_SPREAD = sql<{ table: string; columns: string[] }>`
  select c.relname::text "table", array_agg(a.attname::text order by a.attnum) columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bigint'::regtype
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
    and not coalesce(a.attoptions::text like '%n_distinct=%', false)
    and exists (select 1 from pg_index where indrelid = c.oid and a.attnum = any(indkey::int2[]))
    and not exists (select 1 from pg_index where indrelid = c.oid and indisunique and indnkeyatts = 1 and indkey[0] = a.attnum)
  group by c.relname order by c.relname`

/** The indexed id columns of the schema, by table, without a fixed n_distinct. */
export const idsWithoutSpread = async <Tables>(db: Kysely<Tables>): Promise<{ table: string; columns: string[] }[]> =>
  (await IDS_WITHOUT_SPREAD.execute(db)).rows

/**
 * A step that makes the planner assume 50 rows per id (n_distinct), for all id columns that are indexed by then. As long as nearly every id
 * occurs once, as in bookmarks of a small server, the planner looks a pair up by either column, and would read all rows of an id that
 * occurs very often (docs/decisions/0021-one-way-to-write-sql.md). Takes effect when tables are analysed next.
 */
export const spreadOfIds: MigrationStep = {
  phase: 'expand',
  // One table at a time: its lock waits for an autovacuum, which gives way after a second, and blocks neither reads nor writes.
  isTransactional: false,
  async up(db) {
    for (const { table, columns } of await idsWithoutSpread(db)) {
      const actions = columns.map((column) => sql`alter column ${sql.id(column)} set (n_distinct = ${sql.lit(-1 / ROWS_OF_AN_ID)})`)
      await sql`alter table ${sql.id(table)} ${sql.join(actions)}`.execute(db)
    }
  },
}
