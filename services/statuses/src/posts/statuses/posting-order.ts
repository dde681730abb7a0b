import { type RawBuilder, sql } from 'kysely'

/**
 * What `last_status_id` of an account becomes with a status: null, which the column refuses, when the account has published a higher id and
 * the order counts. Postgres evaluates it on the latest version of the row, under its lock, so the statuses of one author are committed in
 * the order of their ids, whichever process writes them.
 */
export const nextStatusId = ({ id, isOrdered }: { id: RawBuilder<unknown>; isOrdered: RawBuilder<boolean> }): RawBuilder<string> =>
  sql`case when last_status_id < ${id} or not ${isOrdered}::boolean then greatest(last_status_id, ${id}) end`

/** Whether a statement failed because its author has published a status with a higher id meanwhile. */
export const isOvertaken = (error: unknown): boolean => {
  const { code, column } = error as { code?: string; column?: string }
  return code === '23502' && column === 'last_status_id'
}
