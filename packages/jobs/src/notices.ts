import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'

/**
 * The expression that tells the workers of a schema of new jobs of a name: they listen on a channel of the schema's name. graphile-worker's
 * own channel is one for a whole database. The random part keeps apart what one transaction adds: Postgres joins equal notices.
 */
export const tellOf = (schema: string, name: string, count: RawBuilder<unknown> = sql`1`): RawBuilder<unknown> =>
  sql`pg_notify(${schema}, ${name}::text || ' ' || ${count} || ' ' || random())`

/** The same as a statement, for one job: $1 is the schema, $2 the name. */
export const TELL = `select pg_notify($1, $2 || ' 1 ' || random())`

/** How many new jobs of these names a notice tells of. */
export const countFor = (names: readonly string[], notice: string | undefined): number => {
  const [name = '', count = ''] = notice?.split(' ') ?? []
  return names.includes(name) ? Number(count) : 0
}

/** Listens to the notices of a schema in place of those of all. */
export const listenTo = (schema: string): string => `LISTEN ${pg.escapeIdentifier(schema)}; UNLISTEN "jobs:insert"`

/** Ends that. */
export const unlistenTo = (schema: string): string => `UNLISTEN ${pg.escapeIdentifier(schema)}`
