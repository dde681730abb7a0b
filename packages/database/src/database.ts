import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { openMinConnections, openPool, refusedWrites, type SessionLimits, statementLimit } from './session/index.ts'
import { isDeadlock, refuseInsideTransaction, registerPool } from './transact.ts'
import { type Writes, type WritesOfConnection, type WritesWatch, watchWrites } from './writes.ts'

/** A service's own tables, for reading and for single statements. Inside `transact` use the Tx. */
export type Db<Tables> = Kysely<Tables>

/** Maximum prepared statements per connection; further ones are sent unprepared, to limit the server's memory. */
const MAX_NAMES = 500

export type Database<Tables> = {
  readonly db: Db<Tables>
  readonly pool: pg.Pool
  /** Opens the connections of the pool's minimum. */
  warm(): Promise<void>
  /** When a statement was last answered (performance.now()). */
  lastAnswer(): number
  /** Why Postgres has recently refused writes; undefined once it writes again. */
  refusesWrites(): string | undefined
  /** Change tracking of the schema's tables, where this process alone writes them. */
  readonly writes?: Writes
  /**
   * Calls `act` after each statement of this process that writes one of the tables was answered or failed, in a transaction after its end.
   * The writer waits for it, so it must be quick and must not reject.
   */
  onWrite(tables: readonly string[], act: () => Promise<void>): void
  close(): Promise<void>
}

type DatabaseOptions = {
  /** postgres://role:password@host/database, or with a socket's folder as ?host=. */
  url: string
  connections?: number
  /** How many connections stay open when idle; none by default. */
  minConnections?: number
  /** Called with the text of every statement sent, for query budgets. */
  onStatement?: (text: string) => void
  /** Called when a connection is lost while no statement runs on it. */
  onError?: (error: Error) => void
  limits?: Partial<SessionLimits>
  /** No other process writes the schema while this one runs, so cached reads are valid until this one writes. */
  isOnlyWriter?: boolean
}

/**
 * Planner settings (docs/decisions/0021-one-way-to-write-sql.md): plan once a session and not for each value, since planning costs more
 * than a page; read indexes in order, whatever the tables' statistics; no parallel workers and no JIT.
 */
export const PLANNING = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
} as const

/** Assigns names to statements by their text, so that Postgres plans each once per connection. */
const makeNames = () => {
  const names = new Map<string, string>()
  return (text: string) => {
    const known = names.get(text)
    if (known || names.size >= MAX_NAMES) return known
    const name = `s${names.size}`
    names.set(text, name)
    return name
  }
}

type QueryInput = string | pg.QueryConfig

type Watch = { onStatement: (text: string) => void; onError: (error: Error) => void; writes: WritesOfConnection | undefined }

/** Notifies the change tracking when a statement was answered or failed, before its sender continues. */
const watched = <Result>(answer: Promise<Result>, answered: (() => Promise<unknown> | undefined) | undefined): Promise<Result> => {
  if (!answered) return answer
  return answer.then(
    (result) => answered()?.then(() => result) ?? result,
    async (error) => {
      await answered()
      throw error
    },
  )
}

/** Wraps a client so that statements with parameters are prepared and every statement is counted. */
const prepared = (client: pg.PoolClient, nameOf: (text: string) => string | undefined, { onStatement, onError, writes }: Watch) => {
  // The pool listens to idle connections only: one that breaks between two statements of a transaction would end the process.
  client.on('error', onError)
  return {
    query: (input: QueryInput, values?: unknown[]) => {
      const text = typeof input === 'string' ? input : input.text
      onStatement(text)
      const answered = writes?.sent(text)
      if (typeof input !== 'string') return watched(client.query(input as pg.QueryConfig), answered)
      const name = values?.length ? nameOf(input) : undefined
      return watched(name ? client.query({ name, text: input, values: values ?? [] }) : client.query(input, values), answered)
    },
    release: (error?: Error | boolean) => {
      writes?.released()
      client.off('error', onError)
      client.release(error)
    },
  }
}

/** Reports lost connections until the pool is closed: closing is not a loss. */
const untilSilenced = (hear: ((error: Error) => void) | undefined) => {
  let current = hear
  return {
    onError: (error: Error) => current?.(error),
    /** Stops the reports, then closes. */
    close: (db: { destroy(): Promise<void> }) => {
      current = undefined
      return db.destroy()
    },
  }
}

/** Opens a pool of connections to the service's schema. @throws nothing until the first statement */
export const openDatabase = <Tables>(options: DatabaseOptions): Database<Tables> => {
  const { onError, close } = untilSilenced(options.onError)
  let lastAnswer = performance.now()
  const refusals = refusedWrites()
  const pool = openPool({
    refusals,
    url: options.url,
    connections: options.connections ?? 8,
    minConnections: options.minConnections ?? 0,
    settings: PLANNING,
    onError,
    onAnswer: () => {
      lastAnswer = performance.now()
    },
    ...(options.limits && { limits: options.limits }),
  })
  const nameOf = makeNames()
  const onStatement = options.onStatement ?? (() => {})
  const connect = pool.connect.bind(pool)
  let watch = options.isOnlyWriter ? watchWrites() : undefined
  const writes = watch
  const guarded = {
    connect: async () => {
      refuseInsideTransaction(pool)
      return prepared(await connect(), nameOf, { onStatement, onError, writes: watch?.connection() })
    },
    end: () => pool.end(),
  }
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: guarded as never }),
    // The keys of JSON columns stay as stored.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  observers.set(pool, { onStatement, watch: () => watch })
  registerPool(db, pool)
  return {
    db,
    pool,
    warm: () => openMinConnections(pool),
    lastAnswer: () => lastAnswer,
    refusesWrites: refusals.reason,
    ...(writes && { writes }),
    onWrite(tables, act) {
      watch ??= watchWrites()
      watch.onWrite(tables, act)
    },
    close: () => close(db),
  }
}

/** Observers of statements that are sent without Kysely. */
const observers = new WeakMap<pg.Pool, { onStatement: (text: string) => void; watch: () => WritesWatch | undefined }>()

const camelCase = (name: string): string => name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

type ReadRow = (values: readonly unknown[]) => unknown

/** Cached by the text of a prepared statement, which determines its columns; there are as many as such statements. */
const readers = new Map<string, ReadRow>()

/** Maps a row's values to an object. Compiled for the columns: 20 rows of 26 columns take 1 µs, and 22 µs in a loop over the names. */
const rowReader = (text: string, fields: readonly pg.FieldDef[]): ReadRow => {
  const known = readers.get(text)
  if (known) return known
  const columns = fields.map(({ name }, index) => `${JSON.stringify(camelCase(name))}: values[${index}]`)
  const made = new Function('values', `return { ${columns.join(', ')} }`) as ReadRow
  readers.set(text, made)
  return made
}

type NamedStatement = { name: string; text: string; values: readonly unknown[] }

const sendAsArrays = async ({ pool }: { pool: pg.Pool }, { name, text, values }: NamedStatement): Promise<pg.QueryArrayResult> => {
  refuseInsideTransaction(pool)
  const observer = observers.get(pool)
  observer?.onStatement(text)
  // Read here: a statement that waits for a connection is sent in the context of the caller that releases one.
  const limit = statementLimit()
  const send = () =>
    watched(
      pool.query({ name, text, values: [...values], rowMode: 'array', ...(limit && { limit }) }),
      observer?.watch()?.connection().sent(text),
    )
  // A single statement is a transaction of its own: after a deadlock, it was rolled back entirely.
  return send().catch((error) => (isDeadlock(error) ? send() : Promise.reject(error)))
}

/** Sends a named statement outside of transactions; rows have column names in camelCase. */
export const sendNamed = async <Row>(source: { pool: pg.Pool }, statement: NamedStatement): Promise<Row[]> => {
  const { rows, fields } = await sendAsArrays(source, statement)
  return rows.map(rowReader(statement.text, fields)) as Row[]
}
