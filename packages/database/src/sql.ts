import {
  CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely'

/** `= any(…)` of ids: one statement text whatever their number, so it stays prepared. Use as `where('id', '=', anyOf(ids))`. */
export const anyOf = (ids: readonly string[]): RawBuilder<string> => sql<string>`any(${ids}::bigint[])`

/** Whether a statement failed because a unique index refused it; with a name, that index alone. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const fault = error as { code?: string; constraint?: string }
  return fault?.code === '23505' && (constraint === undefined || fault.constraint === constraint)
}

/** Whether a statement failed because the row it refers to is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => (error as { code?: string })?.code === '23503'

/** Runs a statement written as text, with parameters, in a transaction or outside. The text must be one of few: each stays prepared. */
export const runText = async <Row, Tables>(db: Kysely<Tables>, text: string, values: readonly unknown[]): Promise<Row[]> =>
  (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows

/** Compiles without a database. */
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const textOf = (part: RawBuilder<unknown>): string => {
  const { sql: text, parameters } = part.compile(compiler)
  if (parameters.length > 0) throw new Error('A statement written as text takes its values by place ($1), not bound in a part of it.')
  return text
}

/** The text of a statement some of whose parts are Kysely's: conditions that several statements share. @throws Error for a part that binds a value */
export const sqlText = (strings: TemplateStringsArray, ...parts: readonly (string | number | RawBuilder<unknown>)[]): string =>
  String.raw({ raw: strings }, ...parts.map((part) => (typeof part === 'object' ? textOf(part) : part)))
