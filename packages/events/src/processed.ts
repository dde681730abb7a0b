import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { EventTables } from './tables.ts'

/** Records events as handled by a consumer; returns the ids of those that were not yet. A record is rolled back with its transaction. */
export const claimNew = async (tx: Tx<EventTables>, consumer: string, ids: readonly string[]): Promise<Set<string>> => {
  const inserted = await sql<{ eventId: string }>`
    insert into processed_event (consumer, event_id) select ${consumer}, unnest(${[...ids]}::uuid[])
    on conflict do nothing returning event_id`.execute(tx)
  return new Set(inserted.rows.map((row) => row.eventId))
}
