import { Envelope } from '@rookery/contracts/events'
import { afterCommit, type Tx } from '@rookery/database'
import { uuidv7 } from '@rookery/ids'
import { sql } from 'kysely'
import type { DomainEvent } from './envelope.ts'
import type { EventTables } from './tables.ts'

/** An event and the account it belongs to. */
export type OutboxEvent = { key: string; event: DomainEvent }

/** The outbox of a service; `wake` notifies the relay. */
export type Outbox = {
  /** Adds events to the transaction that made them true. */
  append<Tables extends EventTables>(tx: Tx<Tables>, events: readonly OutboxEvent[], trace?: string): Promise<void>
  /** An event as a row, for statements that insert it themselves; they call `wake` after the commit. */
  row(event: OutboxEvent, trace?: string): { topic: string; key: string; envelope: Buffer }
  wake(): void
}

type OutboxDeps = {
  topic: string
  now: () => number
  wake: () => void
  /** The current trace, if requests are traced; it takes the place of the request id. */
  currentTrace?: () => string
}

/** An outbox whose events go to one topic. */
export const createOutbox = (deps: OutboxDeps): Outbox => {
  const row: Outbox['row'] = ({ key, event }, requestId = '') => {
    const now = deps.now()
    const trace = deps.currentTrace?.() || requestId
    const envelope = Envelope.encode({ id: uuidv7(now), key, occurredAtMilliseconds: now, trace, fact: event }).finish()
    return { topic: deps.topic, key, envelope: Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength) }
  }
  return {
    row,
    wake: deps.wake,
    async append(tx, events, trace) {
      if (events.length === 0) return
      const rows = events.map((event) => row(event, trace))
      const keys = rows.map(({ key }) => key)
      const envelopes = rows.map(({ envelope }) => envelope)
      // The same SQL for any number of events, so that it stays prepared.
      await sql`insert into outbox (topic, key, envelope)
        select ${deps.topic}, event.key, event.envelope from unnest(${keys}::text[], ${envelopes}::bytea[]) as event (key, envelope)`.execute(
        tx,
      )
      afterCommit(tx, deps.wake)
    },
  }
}
