import { prepared, preparedPage, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { AuthTables } from '../../database/schema.ts'

/** An app for staff; `tokens` is the number of valid tokens, counted up to `COUNTED_TOKENS + 1`. */
export type StaffAppRow = {
  id: string
  name: string
  website: string
  scopes: string[]
  redirectUris: string[]
  isOperators: boolean
  createdAt: Date
  tokens: number
}

/** The maximum number of tokens shown for an app. */
export const COUNTED_TOKENS = 1000

const SHOWN = sql`a.id, a.name, a.website, a.scopes, a.redirect_uris, a.is_operators, a.created_at, (
  select count(*)::int from (
    select from access_token where app_id = a.id and revoked_at is null limit ${sql.lit(COUNTED_TOKENS + 1)}) good) tokens`

/** A page of apps, latest first. */
export const readApps = preparedPage(
  'apps.list',
  (_, { order, below, above, limit }) => sql<StaffAppRow>`
    select ${SHOWN} from (
      select * from app where id < ${below} and id > ${above} and removed_at is null
      order by id ${sql.raw(order)} limit ${limit}) a
    order by a.id ${sql.raw(order)}`,
)

/** The maximum number of matches of a search. */
const MAX_FOUND = 1000

/**
 * A page of apps whose name or website matches a pattern, latest first. The materialized query hides the limit from the planner, so that it
 * always uses the index.
 */
export const findApps = preparedPage(
  'apps.find',
  ({ pattern }: { pattern: string }, { order, below, above, limit }) => sql<StaffAppRow>`
    select ${SHOWN} from (
      select * from (
        with named as materialized (select * from app where lower(name || ' ' || website) like lower(${pattern}) and removed_at is null)
        select * from named limit ${sql.lit(MAX_FOUND)}) found
      where id < ${below} and id > ${above} order by id ${sql.raw(order)} limit ${limit}) a
    order by a.id ${sql.raw(order)}`,
)

/** A removed app that is not deleted yet. */
export const findRemovedApp = prepared(
  'apps.removed',
  ({ id }: { id: string }) => sql<{ clientId: string }>`select client_id from app where id = ${id} and removed_at is not null`,
)

/** Locks an app and returns it; undefined if it is unknown or removed. */
export const lockApp = async (tx: Tx<AuthTables>, id: string) =>
  tx
    .selectFrom('app')
    .select(['id', 'name', 'isOperators'])
    .where('id', '=', id)
    .where('removedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const markRemoved = async (tx: Tx<AuthTables>, { id, at }: { id: string; at: Date }): Promise<void> => {
  await tx.updateTable('app').set({ removedAt: at }).where('id', '=', id).execute()
}

/** Locks a removed app, so that it gets no more tokens. */
export const lockRemovedApp = async (tx: Tx<AuthTables>, id: string): Promise<void> => {
  await tx.selectFrom('app').select('id').where('id', '=', id).where('removedAt', 'is not', null).forUpdate().execute()
}

/** Deletes the row of a removed app, once it has no tokens. */
export const deleteRemovedApp = async (tx: Tx<AuthTables>, id: string): Promise<void> => {
  await tx.deleteFrom('app').where('id', '=', id).where('removedAt', 'is not', null).execute()
}
