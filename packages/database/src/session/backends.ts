import { batching } from '@rookery/batching'
import pg from 'pg'

const MILLISECONDS = 2000

/** The server's view of the sessions of a role, by their application_name. Each query uses a connection of its own. */
export type Backends = {
  /** Whether the server is executing a statement of that session; undefined when it cannot be asked. */
  isWorking(name: string): Promise<boolean | undefined>
  /** Terminates a session on the server, which releases its locks and rolls back its transaction. */
  end(name: string): void
}

/** Queries over a new connection and closes it. @throws Error when there is no answer within seconds */
const ask = async <Row extends pg.QueryResultRow>(url: string, text: string, names: readonly string[]): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: MILLISECONDS, query_timeout: MILLISECONDS })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, [names])).rows
  } finally {
    client.connection.stream.destroy()
  }
}

// A server that does not track activity cannot tell: its sessions count as working.
const WORKING = `select application_name as name from pg_stat_activity
  where usename = current_user and application_name = any($1::text[]) and state in ('active', 'disabled')`
const END = `select pg_terminate_backend(pid) from pg_stat_activity where usename = current_user and application_name = any($1::text[])`

/** Queries for many sessions at once, over one connection at a time. */
export const backendsAt = (url: string): Backends => {
  const find = batching<string, boolean>(async (names) => {
    const working = new Set((await ask<{ name: string }>(url, WORKING, names)).map(({ name }) => name))
    return new Map(names.map((name) => [name, working.has(name)]))
  })
  const end = batching<string, void>(async (names) => {
    await ask(url, END, names)
    return new Map()
  })
  return {
    isWorking: (name) => find(name).catch(() => undefined),
    // If the server cannot be asked, its own timeouts end them.
    end: (name) => void end(name).catch(() => {}),
  }
}
