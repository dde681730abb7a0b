import type pg from 'pg'

/** An index of a table: its columns or expressions in order, as plans print them. */
export type Index = { name: string; table: string; columns: readonly string[]; isUnique: boolean }

/** The part of a schema that decides whether a plan is bounded. */
export type Catalog = { indexes: ReadonlyMap<string, Index>; tables: readonly string[] }

/** Reads the tables and indexes of the schema in the client's search path. */
export const readCatalog = async (client: pg.Client): Promise<Catalog> => {
  const tables = await client.query<{ name: string }>(
    `select relname::text name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by 1`,
  )
  const indexes = await client.query<Index>(
    `select i.relname::text name, t.relname::text "table", x.indisunique "isUnique",
       array(select pg_get_indexdef(x.indexrelid, place, true) from generate_series(1, x.indnkeyatts) place) columns
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where t.relnamespace = current_schema()::regnamespace`,
  )
  return { tables: tables.rows.map(({ name }) => name), indexes: new Map(indexes.rows.map((index) => [index.name, index])) }
}
