import pg from 'pg'

/** A statement sent by a role. */
export type SentStatement = { role: string; name: string | undefined; text: string; values: readonly unknown[] }

type Input = string | { name?: string; text?: string; values?: readonly unknown[] }

const sentBy = (role: string, [input, values]: unknown[]): SentStatement | undefined => {
  const statement = typeof input === 'string' ? { text: input, values } : (input as Exclude<Input, string>)
  if (typeof statement.text !== 'string') return undefined
  const given = Array.isArray(statement.values) ? statement.values : []
  return { role, name: 'name' in statement ? statement.name : undefined, text: statement.text, values: given }
}

/** Records the statements that this process sends to Postgres until `stop`: each text of a role once, or every time with `isEachTime`. */
export const recordStatements = ({ isEachTime = false } = {}): { statements(): readonly SentStatement[]; stop(): void } => {
  const statements = new Map<string, SentStatement>()
  const prototype = pg.Client.prototype as unknown as { query: (...input: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function (this: pg.Client & { user: string }, ...input: unknown[]) {
    const sent = sentBy(this.user, input)
    const key = `${sent?.role} ${sent?.text} ${isEachTime ? statements.size : ''}`
    if (sent && !statements.has(key)) statements.set(key, sent)
    return Reflect.apply(query, this, input)
  }
  return {
    statements: () => [...statements.values()],
    stop: () => {
      prototype.query = query
    },
  }
}
