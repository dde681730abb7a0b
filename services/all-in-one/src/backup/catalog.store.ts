import pg from 'pg'

/** A table to copy, with its columns except generated ones. */
export type Table = { readonly schema: string; readonly name: string; readonly columns: readonly string[] }

/** A sequence and its last value. */
export type Sequence = { readonly schema: string; readonly name: string; readonly last: string }

type Client = Pick<pg.Client, 'query'>

const quoted = ({ schema, name }: { schema: string; name: string }) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
const columnsOf = ({ columns }: Table) => columns.map((column) => pg.escapeIdentifier(column)).join(', ')

/** The statements that read and write a table's rows. */
export const copyOut = (table: Table): string => `copy ${quoted(table)} (${columnsOf(table)}) to stdout`
export const copyIn = (table: Table): string => `copy ${quoted(table)} (${columnsOf(table)}) from stdin`

const TABLES = `select n.nspname as schema, c.relname as name,
    array(select a.attname::text from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    array(select distinct r.confrelid::text from pg_constraint r
           where r.conrelid = c.oid and r.contype = 'f' and r.confrelid <> c.oid) as needed,
    c.oid::text as oid
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where c.relkind = 'r' and n.nspname = any($1) order by n.nspname, c.relname`

type Found = Table & { needed: string[]; oid: string }

/** The tables of some schemas, each after those it refers to. */
export const readTables = async (client: Client, schemas: readonly string[]): Promise<Table[]> => {
  const { rows } = await client.query<Found>(TABLES, [schemas])
  const sorted: Found[] = []
  const isReady = ({ needed }: Found) => needed.every((oid) => sorted.some((other) => other.oid === oid))
  while (sorted.length < rows.length) {
    const next = rows.filter((row) => !sorted.includes(row) && isReady(row))
    if (next.length === 0) throw new Error('Circular references between tables.')
    sorted.push(...next)
  }
  return sorted.map(({ schema, name, columns }) => ({ schema, name, columns }))
}

/** The sequences of some schemas that were used. */
export const readSequences = async (client: Client, schemas: readonly string[]): Promise<Sequence[]> => {
  const text = `select schemaname as schema, sequencename as name, last_value::text as last from pg_sequences
    where schemaname = any($1) and last_value is not null order by 1, 2`
  return (await client.query<Sequence>(text, [schemas])).rows
}

/** Sets a sequence to its last value. */
export const setSequence = async (client: Client, sequence: Sequence): Promise<void> => {
  await client.query('select setval($1::regclass, $2::bigint, true)', [quoted(sequence), sequence.last])
}

/** Whether a schema has tables. */
export const hasTables = async (client: Client, schemas: readonly string[]): Promise<boolean> => {
  const text = 'select exists (select 1 from pg_tables where schemaname = any($1)) as found'
  return (await client.query<{ found: boolean }>(text, [schemas])).rows[0]!.found
}

/** The names of the steps that created a schema, from the tables that record them. */
export const readSteps = async (client: Client, schema: string, sets: readonly string[]): Promise<string[]> => {
  const steps: string[] = []
  for (const set of sets) {
    const { rows } = await client.query<{ name: string }>(
      `select name from ${quoted({ schema, name: `${set}_migration` })} order by timestamp, name`,
    )
    steps.push(...rows.map(({ name }) => `${set}/${name}`))
  }
  return steps
}

/** The numbers of the steps that created a schema of jobs; none without such a schema. */
export const readJobSteps = async (client: Client, schema: string): Promise<string[]> => {
  if (!(await hasTables(client, [schema]))) return []
  const { rows } = await client.query<{ id: number }>(`select id from ${quoted({ schema, name: 'migrations' })} order by id`)
  return rows.map(({ id }) => `jobs/${id}`)
}

const TRIGGERED = `select distinct n.nspname as schema, c.relname as name
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
 where not t.tgisinternal and n.nspname = any($1)`

/** Empties tables and disables their triggers until `enableTriggers` is called, in the same transaction. */
export const truncateWithoutTriggers = async (client: Client, tables: readonly Table[]): Promise<{ enableTriggers(): Promise<void> }> => {
  const schemas = [...new Set(tables.map(({ schema }) => schema))]
  const { rows } = await client.query<{ schema: string; name: string }>(TRIGGERED, [schemas])
  for (const table of rows) await client.query(`alter table ${quoted(table)} disable trigger user`)
  if (tables.length > 0) await client.query(`truncate ${tables.map(quoted).join(', ')}`)
  return {
    async enableTriggers() {
      for (const table of rows) await client.query(`alter table ${quoted(table)} enable trigger user`)
    },
  }
}
