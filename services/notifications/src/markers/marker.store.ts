import { anyOf, type Db, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'
import type { MarkerRow } from '../database/tables/marker.ts'
import type { NextMarker } from './marker.rules.ts'

/** Reads an account's markers of these timelines. */
export const readMarkerRows = (db: Db<NotificationsTables>, accountId: string, timelines: readonly string[]): Promise<MarkerRow[]> =>
  db
    .selectFrom('marker')
    .select(['timeline', 'lastReadId', 'version', 'updatedAt'])
    .where('accountId', '=', accountId)
    .where('timeline', '=', sql<string>`any(${[...timelines]}::text[])`)
    .execute()

/**
 * Writes markers with the version after the one read, in the order of timelines. Markers that another request changed meanwhile are not
 * written or returned.
 */
export const writeMarkerRows = async (
  tx: Tx<NotificationsTables>,
  accountId: string,
  markers: readonly NextMarker[],
  now: Date,
): Promise<MarkerRow[]> => {
  const timelines = markers.map(({ timeline }) => timeline)
  const lastReadIds = markers.map(({ lastReadId }) => lastReadId)
  const versions = markers.map(({ version }) => version)
  const { rows } = await sql<MarkerRow>`
    insert into marker (account_id, timeline, last_read_id, version, updated_at)
    select ${accountId}::bigint, timeline, last_read_id, version, ${now}::timestamptz
    from unnest(${timelines}::text[], ${lastReadIds}::bigint[], ${versions}::integer[]) as next (timeline, last_read_id, version)
    order by timeline
    on conflict (account_id, timeline) do update
      set last_read_id = excluded.last_read_id, version = excluded.version, updated_at = excluded.updated_at
      where marker.version = excluded.version - 1
    returning timeline, last_read_id, version, updated_at`.execute(tx)
  return rows
}

/** Deletes the markers of these accounts. */
export const forgetMarkerRows = async (tx: Tx<NotificationsTables>, accountIds: readonly string[]): Promise<void> => {
  await tx.deleteFrom('marker').where('accountId', '=', anyOf(accountIds)).execute()
}
