import type pg from 'pg'

/** The distribution of a non-key column: rows per value, or the number of values. */
type Spread = { rowsPerValue: number } | { values: number }

type Column = { table: string; column: string; type: string; isUnique: boolean; isNullable: boolean }

const COLUMNS = `
  select c.relname::text "table", a.attname::text "column", t.typname::text type, not a.attnotnull "isNullable",
    exists (select 1 from pg_index x where x.indrelid = c.oid and x.indisunique and x.indnkeyatts = 1 and x.indkey[0] = a.attnum) "isUnique"
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`

/** The number of values of small types. */
const FEW: Readonly<Record<string, number>> = { bool: 2, int2: 4 }

const distinctOf = ({ type, isUnique }: Column, spread: Spread): number => {
  if (isUnique) return -1
  if (FEW[type]) return FEW[type]
  return 'values' in spread ? spread.values : -1
}

/** A value of each type, for rows that are inserted and rolled back. */
const SAMPLES: Readonly<Record<string, string>> = {
  bool: 'true',
  bytea: `''`,
  date: `'2026-01-01'`,
  inet: `'127.0.0.1'`,
  json: `'{}'`,
  jsonb: `'{}'`,
  timestamptz: 'now()',
  uuid: 'gen_random_uuid()',
}

/**
 * Gives each table of the client's schema a page on disk and its indexes a root: Postgres takes a table without pages for empty, whatever
 * the statistics say. A rolled-back row leaves them. The client is the administrator, who may skip constraints.
 */
export const giveEachTableAPage = async (client: pg.Client): Promise<void> => {
  // Autovacuum would replace the statistics that are set.
  await client.query(`do $$ declare relation regclass; begin
    for relation in select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
    loop execute format('alter table %s set (autovacuum_enabled = off)', relation); end loop; end $$`)
  const { rows } = await client.query<{ table: string; columns: string[]; types: string[]; checks: string[] }>(
    `select c.oid::regclass::text "table",
       array(select quote_ident(conname) from pg_constraint where conrelid = c.oid and contype = 'c') checks,
       array_agg(quote_ident(a.attname)) columns, array_agg(t.typname::text) types
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = ''
     join pg_type t on t.oid = a.atttypid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and pg_relation_size(c.oid) = 0 group by c.oid`,
  )
  for (const { table, columns, types, checks } of rows) {
    const values = types.map((type) => SAMPLES[type] ?? (type.startsWith('_') ? `'{}'` : `'1'`))
    await client.query('begin')
    await client.query(`set local session_replication_role = replica`)
    for (const check of checks) await client.query(`alter table ${table} drop constraint ${check}`)
    await client.query(`insert into ${table} (${columns}) values (${values})`)
    await client.query('rollback')
  }
}

/**
 * Sets statistics so that Postgres plans as if each table of the client's schema had this many rows, distributed like this. The planner
 * computes the size of a table from its pages on disk and the rows per page of the statistics: each table gets at least one page. `small`
 * tables get a hundred rows, whatever the size of others.
 */
export const setStatistics = async (
  client: pg.Client,
  rows: number,
  spread: Spread,
  small: ReadonlySet<string> = new Set(),
): Promise<void> => {
  const columns = (await client.query<Column>(COLUMNS)).rows
  const distinct = (column: Column) =>
    'rowsPerValue' in spread && distinctOf(column, spread) === -1 && !column.isUnique
      ? -1 / spread.rowsPerValue
      : distinctOf(column, spread)
  await client.query(
    `select pg_restore_relation_stats('schemaname', current_schema()::text, 'relname', relname::text,
       'relpages', greatest(1, (pg_relation_size(oid) / 8192)::int), 'reltuples', case when relname = any($2::text[]) or oid in (
         select indexrelid from pg_index join pg_class t on t.oid = indrelid where t.relname = any($2::text[])) then 100 else $1::real end,
       'relallvisible', greatest(1, (pg_relation_size(oid) / 8192)::int))
     from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'i')`,
    [rows, [...small]],
  )
  for (const column of columns)
    await client.query(
      `select pg_clear_attribute_stats(current_schema()::text, $1, $2, false), pg_restore_attribute_stats('schemaname', current_schema()::text,
         'relname', $1::text, 'attname', $2::text, 'inherited', false, 'null_frac', $3::real, 'avg_width', 8, 'n_distinct', $4::real)`,
      [column.table, column.column, column.isNullable ? 0.5 : 0, distinct(column)],
    )
}
