import { hasRow } from '@rookery/database'
import { type RawBuilder, type SqlBool, sql } from 'kysely'

/*
 * Conditions on the state of an account, by the alias of its row: whether it exists for others, and what its suspension or silence hides
 * from whom (beyond-the-spec 1.11).
 */

type Predicate = RawBuilder<SqlBool>

/**
 * Whether an account exists for others: its sign-up is complete, and it is not closed. An account that has not joined (`has_joined`) and is not
 * active awaits the confirmation of its e-mail address, or approval. A disabled login has joined.
 */
export const isThere = (account = 'account'): Predicate => {
  const row = sql.raw(account)
  return sql<SqlBool>`(${row}.closed_at is null and (${row}.is_active or ${row}.has_joined))`
}

/** Whether the server has not suspended an account. */
export const isNotSuspended = (account = 'account'): Predicate => sql<SqlBool>`not ${sql.raw(account)}.is_suspended`

/** Whether an account may sign in and is not suspended: it can be mentioned, found and notified, and posts. */
export const isReachable = (account = 'account'): Predicate => sql<SqlBool>`(${sql.raw(account)}.is_active and ${isNotSuspended(account)})`

/** Whether an account is neither silenced nor suspended. */
export const isUnrestricted = (account = 'account'): Predicate =>
  sql<SqlBool>`(not ${sql.raw(account)}.is_silenced and ${isNotSuspended(account)})`

/** Whether an account, by an expression for its id, is neither silenced nor suspended. Few are, so that a partial index answers. */
export const isUnrestrictedAccount = (id: string): Predicate =>
  sql<SqlBool>`not ${hasRow(sql`from account where id = ${sql.raw(id)} and (is_silenced or is_suspended)`)}`

/** Whether an account is not silenced, or is shown all the same, as to its followers. */
export const isNotSilencedUnless = (account: string, isShown: RawBuilder<unknown>): Predicate =>
  sql<SqlBool>`(not ${sql.raw(account)}.is_silenced or ${isShown})`

/** Whether an account may be shown to people who do not know it: it wants to be found, and is neither disabled, silenced nor suspended. */
export const isDiscoverable = (account = 'account'): Predicate => {
  const row = sql.raw(account)
  return sql<SqlBool>`(${row}.discoverable and ${row}.is_active and ${isUnrestricted(account)})`
}

/** Whether an account may be recommended to people who do not know it: it is discoverable, has not moved and is no memorial. */
export const isRecommendable = (account = 'account'): Predicate => {
  const row = sql.raw(account)
  return sql<SqlBool>`(${isDiscoverable(account)} and ${row}.moved_to_id is null and not ${row}.is_memorial)`
}
