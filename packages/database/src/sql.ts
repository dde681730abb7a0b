import { type RawBuilder, sql } from 'kysely'

/** `= any(…)` of ids: one statement text regardless of their number, so it stays prepared. Use as `where('id', '=', anyOf(ids))`. */
export const anyOf = (ids: readonly string[]): RawBuilder<string> => sql<string>`any(${ids}::bigint[])`

/** Whether a statement failed because a unique index refused it; with a name, that index alone. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const fault = error as { code?: string; constraint?: string }
  return fault?.code === '23505' && (constraint === undefined || fault.constraint === constraint)
}

/** Whether a statement failed because the row it refers to is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => (error as { code?: string })?.code === '23503'
