import pg from 'pg'

/**
 * The SQL expression that notifies the workers of a schema of new jobs of a name, `count` (an expression) of them, on a channel of the
 * schema's name; graphile-worker's own channel is one for a whole database. The random part keeps the notifications of one transaction
 * apart: Postgres merges equal ones.
 */
export const noticeOf = (schema: string, name: string, count = '1'): string =>
  `pg_notify(${pg.escapeLiteral(schema)}, ${pg.escapeLiteral(`${name} `)} || ${count} || ' ' || random())`

/** How many new jobs of these names a notification announces. */
export const countFor = (names: readonly string[], notice: string | undefined): number => {
  const [name = '', count = ''] = notice?.split(' ') ?? []
  return names.includes(name) ? Number(count) : 0
}

/** Listens to the notices of a schema in place of those of all. */
export const listenTo = (schema: string): string => `LISTEN ${pg.escapeIdentifier(schema)}; UNLISTEN "jobs:insert"`

/** Stops listening. */
export const unlistenTo = (schema: string): string => `UNLISTEN ${pg.escapeIdentifier(schema)}`
