import type { Generated } from 'kysely'

/** Events that are committed and not yet on the bus. */
type OutboxTable = { id: Generated<string>; topic: string; key: string; envelope: Buffer }

/** Events that a consumer has handled. */
type ProcessedEventTable = { consumer: string; eventId: string; processedAt: Generated<Date> }

/** Events that a consumer could not handle. */
type DeadLetterTable = {
  id: Generated<string>
  consumer: string
  eventId: string
  topic: string
  key: string
  envelope: Buffer
  error: string
  failedAt: Generated<Date>
}

/** The event tables in each service's schema. */
export type EventTables = { outbox: OutboxTable; processedEvent: ProcessedEventTable; deadLetter: DeadLetterTable }
