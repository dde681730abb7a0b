import { Envelope } from '@rookery/contracts/events'
import type { Db } from '@rookery/database'
import { sql } from 'kysely'
import type { EventTables } from './tables.ts'

/** How many events are in the outbox, and when the oldest of them happened, in milliseconds since 1970. */
type OutboxState = { events: number; oldestMilliseconds: number | undefined }

/** Reads how many events a schema's outbox holds and when the oldest happened, in one statement. */
export const readOutboxState = async <Tables extends EventTables>(db: Db<Tables>): Promise<OutboxState> => {
  const { rows } = await sql<{ events: string; first: Buffer | null }>`
    select count(*) as events, (select envelope from outbox order by id limit 1) as first from outbox`.execute(db)
  const first = rows[0]?.first
  return { events: Number(rows[0]?.events ?? 0), oldestMilliseconds: first ? Envelope.decode(first).occurredAtMilliseconds : undefined }
}
