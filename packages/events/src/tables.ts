import type { Generated } from 'kysely'

/** Events that were decided and not yet on the bus. */
type OutboxTable = { id: Generated<string>; topic: string; key: string; envelope: Buffer }

/** Events a consumer has acted on. */
type ProcessedEventTable = { consumer: string; eventId: string; processedAt: Generated<Date> }

/** Events a consumer could not act on. */
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

/** What every service's schema holds beside its own tables. */
export type EventTables = { outbox: OutboxTable; processedEvent: ProcessedEventTable; deadLetter: DeadLetterTable }
