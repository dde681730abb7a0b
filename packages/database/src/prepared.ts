import {
  CamelCasePlugin,
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
} from 'kysely'
import type pg from 'pg'
import { type Db, sendNamed } from './database.ts'
import { arrayLiteral } from './sql.ts'

/** A placeholder for a value that is given later. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/** A Kysely instance without a connection, for compiling. */
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new CamelCasePlugin()],
})

/** The query builder for statements that `prepared` compiles; it has no connection. */
export const builderOf = <Tables>(): Db<Tables> => compiler as unknown as Db<Tables>

/** A query of the builder, or a `sql` template. */
export type Buildable<Row> = { compile(executor: QueryExecutorProvider): CompiledQuery<Row> }

/** A statement's text, and the names of its values in the order of $1, $2, … */
type CompiledStatement = { text: string; names: readonly string[] }

/** Compiles a statement once. A value that is used several times is one parameter. @throws Error for a value that is not a parameter */
export const compileStatement = <Values extends object>(build: (given: Values) => Buildable<unknown>): CompiledStatement => {
  const { sql, parameters } = build(PLACEHOLDERS as Values).compile(compiler)
  const names: string[] = []
  const places = parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) throw new Error(`A prepared statement binds a value of its own: ${String(parameter)}`)
    const { name } = parameter
    if (!names.includes(name)) names.push(name)
    return names.indexOf(name) + 1
  })
  return { text: sql.replace(/\$(\d+)/g, (_, place) => `$${places[Number(place) - 1]}`), names }
}

/** A statement's name and text. */
export type NamedStatement = { readonly name: string; readonly text: string }

const named: NamedStatement[] = []

/** Adds a statement to those of this process. */
export const registerStatement = (statement: NamedStatement): void => void named.push(statement)

/** The prepared statements of all modules that this process has loaded, sent or not. */
export const namedStatements = (): readonly NamedStatement[] => named

/** The pool for single statements, or a transaction. */
export type Source = { pool: pg.Pool } | Pick<Db<never>, 'executeQuery'>

/** A value in the form it is sent: lists of ids and texts are serialised here, as pg takes several times as long. */
const sent = (value: unknown): unknown => (Array.isArray(value) && typeof value[0] === 'string' ? arrayLiteral(value) : value)

/** Sends a prepared statement with its values; rows have column names in camelCase. */
export type Prepared<Values extends object, Row> = (source: Source, given: Values) => Promise<Row[]>

/**
 * Declares a statement that is compiled once and stays prepared on each connection: for everything that runs often. The name is unique
 * within the service. `build` gets placeholders instead of values, so it cannot depend on them.
 */
export const prepared = <Values extends object, Row>(name: string, build: (given: Values) => Buildable<Row>): Prepared<Values, Row> => {
  const { text, names } = compileStatement(build)
  registerStatement({ name, text })
  return async (source, given) => {
    const values = names.map((each) => sent(given[each as keyof Values]))
    if ('pool' in source) return sendNamed<Row>(source, { name, text, values })
    return (await source.executeQuery(CompiledQuery.raw(text, values) as CompiledQuery<Row>)).rows
  }
}
