import pg from 'pg'

/**
 * The SQL expression that notifies the workers of a schema of `count` (an expression) new jobs of a name, on a channel named after the
 * schema; graphile-worker's own channel is shared by the whole database. The random part keeps the notifications of one transaction apart:
 * Postgres merges equal ones.
 */
export const noticeOf = (schema: string, name: string, count = '1'): string =>
  `pg_notify(${pg.escapeLiteral(schema)}, ${pg.escapeLiteral(`${name} `)} || ${count} || ' ' || random())`

/** How many new jobs of these names a notification announces. */
export const countFor = (names: readonly string[], notice: string | undefined): number => {
  const [name = '', count = ''] = notice?.split(' ') ?? []
  return names.includes(name) ? Number(count) : 0
}

/** The statement that listens to the notifications of one schema instead of those of all. */
export const listenTo = (schema: string): string => `LISTEN ${pg.escapeIdentifier(schema)}; UNLISTEN "jobs:insert"`

/** Stops listening. */
export const unlistenTo = (schema: string): string => `UNLISTEN ${pg.escapeIdentifier(schema)}`
