import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { openKept, openPool, refusedWrites, type SessionLimits, statementLimit } from './session/index.ts'
import { isDeadlock, refuseInsideTransaction, tiePool } from './transact.ts'
import { type Writes, type WritesOfConnection, type WritesWatch, watchWrites } from './writes.ts'

/** A service's own tables, for reading and for single statements. Inside `transact` use the Tx. */
export type Db<Tables> = Kysely<Tables>

/** Named statements a connection keeps prepared; past that, statements go unprepared rather than fill the server's memory. */
const MAX_NAMES = 500

export type Database<Tables> = {
  readonly db: Db<Tables>
  readonly pool: pg.Pool
  /** Opens the connections that are kept. */
  warm(): Promise<void>
  /** When a statement was last answered (performance.now()). */
  lastAnswer(): number
  /** Why Postgres has lately refused to write anything; undefined once it writes again. */
  refusesWrites(): string | undefined
  /** Where this process alone writes the schema: when tables of it change. */
  readonly writes?: Writes
  /**
   * Has `act` run each time a statement of this process that names one of the tables as written to was answered or failed, in a transaction when
   * that ends. The writer waits for it, so it must not take long, nor reject.
   */
  onWrite(tables: readonly string[], act: () => Promise<void>): void
  close(): Promise<void>
}

type DatabaseOptions = {
  /** postgres://role:password@host/database, or with a socket's folder as ?host=. */
  url: string
  connections?: number
  /** How many of them stay open although they are idle; none unless said. */
  kept?: number
  /** Called with the text of every statement sent, for budgets. */
  onStatement?: (text: string) => void
  /** Called when a connection is lost while no statement runs on it. */
  onError?: (error: Error) => void
  limits?: Partial<SessionLimits>
  /** Says that no other process writes the schema while this one runs: what was read then stands until this one writes. */
  isOnlyWriter?: boolean
}

/**
 * How the statements of a service are planned (docs/decisions/0021-one-way-to-write-sql.md): once a session and not for each value, since
 * planning costs more than a page; by indexes in their order, regardless of the tables' statistics; in one process, without compiling.
 */
export const PLANNING = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
} as const

/** Gives statements the same name for the same text, so that Postgres plans each once a connection. */
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

/** Has the watch hear when a statement was answered, or failed. What follows from that comes before its sender goes on. */
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

/** Hears of lost connections until the pool is closed: what ends with it is no loss. */
const untilSilenced = (hear: ((error: Error) => void) | undefined) => {
  let current = hear
  return {
    onError: (error: Error) => current?.(error),
    /** Silences it, then closes. */
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
    kept: options.kept ?? 0,
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
    // The keys of a JSON column are as they were stored.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  observers.set(pool, { onStatement, watch: () => watch })
  tiePool(db, pool)
  return {
    db,
    pool,
    warm: () => openKept(pool),
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

/** Who is notified of the statements that are sent outside of Kysely. */
const observers = new WeakMap<pg.Pool, { onStatement: (text: string) => void; watch: () => WritesWatch | undefined }>()

const camelCase = (name: string): string => name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

type ReadRow = (values: readonly unknown[]) => unknown

/** By the text of a prepared statement, which decides its columns; they are as many as there are such statements. */
const readers = new Map<string, ReadRow>()

/** Makes an object of a row's values. Compiled for the columns: 20 rows of 26 columns take 1 µs; written name by name, 22. */
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
  // A statement is a transaction of its own: when a deadlock ended it, nothing of it was kept.
  return send().catch((error) => (isDeadlock(error) ? send() : Promise.reject(error)))
}

/** Sends a named statement outside of transactions; rows have the names of their columns in camelCase. */
export const sendNamed = async <Row>(source: { pool: pg.Pool }, statement: NamedStatement): Promise<Row[]> => {
  const { rows, fields } = await sendAsArrays(source, statement)
  return rows.map(rowReader(statement.text, fields)) as Row[]
}
