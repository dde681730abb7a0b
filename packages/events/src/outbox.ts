import { Envelope } from '@rookery/contracts/events'
import { afterCommit, type Tx } from '@rookery/database'
import { uuidv7 } from '@rookery/ids'
import { sql } from 'kysely'
import type { Fact } from './envelope.ts'
import type { EventTables } from './tables.ts'

/** A fact and the account it belongs to. */
export type KeyedFact = { key: string; fact: Fact }

/** Where a service leaves its facts; `wake` tells the relay that there are some. */
export type Outbox = {
  /** Adds facts to the transaction that made them true. */
  append<Tables extends EventTables>(tx: Tx<Tables>, facts: readonly KeyedFact[], trace?: string): Promise<void>
  /** A fact as a row, for statements that insert it themselves; they call `wake` after the commit. */
  row(fact: KeyedFact, trace?: string): { topic: string; key: string; envelope: Buffer }
  wake(): void
}

export type OutboxGiven = {
  topic: string
  now: () => number
  wake: () => void
  /** The trace of what runs now, where requests are traced: it then stands for the id of the request. */
  currentTrace?: () => string
}

/** An outbox whose facts go to one topic. */
export const createOutbox = (given: OutboxGiven): Outbox => {
  const row: Outbox['row'] = ({ key, fact }, requestId = '') => {
    const now = given.now()
    const trace = given.currentTrace?.() || requestId
    const envelope = Envelope.encode({ id: uuidv7(now), key, occurredAtMilliseconds: now, trace, fact }).finish()
    return { topic: given.topic, key, envelope: Buffer.from(envelope.buffer, envelope.byteOffset, envelope.byteLength) }
  }
  return {
    row,
    wake: given.wake,
    async append(tx, facts, trace) {
      if (facts.length === 0) return
      const rows = facts.map((fact) => row(fact, trace))
      const keys = rows.map(({ key }) => key)
      const envelopes = rows.map(({ envelope }) => envelope)
      // One text whatever the number of facts, so that it stays prepared.
      await sql`insert into outbox (topic, key, envelope)
        select ${given.topic}, fact.key, fact.envelope from unnest(${keys}::text[], ${envelopes}::bytea[]) as fact (key, envelope)`.execute(
        tx,
      )
      afterCommit(tx, given.wake)
    },
  }
}
