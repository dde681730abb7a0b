import { setTimeout as pause } from 'node:timers/promises'
import { Envelope } from '@rookery/contracts/events'
import { type Db, type Tx, transact } from '@rookery/database'
import { sql } from 'kysely'
import type { Bus, Message } from './bus.ts'
import type { Fact } from './outbox.ts'
import type { EventTables } from './tables.ts'

/** A kind of fact, as the envelope names it. */
export type FactKind = Fact['$case']
type FactOf<Kind extends FactKind> = Extract<Fact, { $case: Kind }>

/** A fact with the envelope it came in. */
export type Received<Kind extends FactKind> = { id: string; key: string; trace: string; occurredAtMilliseconds: number; fact: FactOf<Kind> }

/** A reaction to facts: `handle` acts on a set of them in one transaction, in which they are also recorded, so it acts once. */
export type Consumer<Tables extends EventTables = EventTables> = {
  /** Names the group on the bus and in the tables, e.g. statuses.fan-out. */
  readonly name: string
  readonly topic: string
  readonly kinds: readonly FactKind[]
  handle(tx: Tx<Tables>, received: readonly Received<FactKind>[]): Promise<void>
}

/** Declares a reaction, typed by the kinds of fact it wants. */
export const consumer = <Tables extends EventTables, Kind extends FactKind>(declared: {
  name: string
  topic: string
  kinds: readonly Kind[]
  handle(tx: Tx<Tables>, received: readonly Received<Kind>[]): Promise<void>
}): Consumer<Tables> => declared as unknown as Consumer<Tables>

export type ConsumerOptions = {
  onError?: (error: unknown, consumer: string) => void
  /** Pauses before a failed fact is tried again, in milliseconds; after the last it becomes a dead letter. */
  retryAfter?: readonly number[]
}

const RETRY_AFTER = [100, 500, 2000]

type Parcel = { message: Message; received: Received<FactKind> }

/** Whether the fault is the database's absence rather than the fact's: such facts are kept and tried for as long as it takes. */
const isOutage = (error: unknown) => {
  const code = (error as { code?: string }).code ?? ''
  return (
    /^(08|57P|53|ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect/.test(String(error))
  )
}

const open = (message: Message): Parcel => {
  const { fact, ...envelope } = Envelope.decode(message.envelope)
  return { message, received: { ...envelope, fact: fact as Fact } }
}

/** Records the facts as handled and answers with those that were not before. */
const claimNew = async (tx: Tx<EventTables>, name: string, parcels: readonly Parcel[]) => {
  const ids = parcels.map((parcel) => parcel.received.id)
  const inserted = await sql<{ event_id: string }>`
    insert into processed_event (consumer, event_id) select ${name}, unnest(${ids}::uuid[])
    on conflict do nothing returning event_id`.execute(tx)
  const fresh = new Set(inserted.rows.map((row) => row.event_id))
  return parcels.filter((parcel) => fresh.has(parcel.received.id))
}

const fileDeadLetter = (db: Db<EventTables>, name: string, topic: string, { message, received }: Parcel, error: unknown) =>
  transact(db, async (tx) => {
    const fresh = await claimNew(tx, name, [{ message, received }])
    if (fresh.length === 0) return
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const letter = { consumer: name, event_id: received.id, topic, key: message.key, envelope: Buffer.from(message.envelope), error: text }
    await tx.insertInto('dead_letter').values(letter).execute()
  })

const isWanted = (reaction: Consumer<never>, parcel: Parcel) => parcel.received.fact && reaction.kinds.includes(parcel.received.fact.$case)

const act = <Tables extends EventTables>(db: Db<Tables>, reaction: Consumer<Tables>, parcels: readonly Parcel[]) =>
  transact(db, async (tx) => {
    const fresh = await claimNew(tx as unknown as Tx<EventTables>, reaction.name, parcels)
    if (fresh.length > 0)
      await reaction.handle(
        tx,
        fresh.map((parcel) => parcel.received),
      )
  })

/** One fact, until it is done or filed as a dead letter. */
const insist = async <Tables extends EventTables>(db: Db<Tables>, reaction: Consumer<Tables>, parcel: Parcel, options: ConsumerOptions) => {
  const pauses = options.retryAfter ?? RETRY_AFTER
  for (let attempt = 0; ; attempt++) {
    try {
      return await act(db, reaction, [parcel])
    } catch (error) {
      if (isOutage(error)) throw error
      options.onError?.(error, reaction.name)
      const wait = pauses[attempt]
      if (wait === undefined) return await fileDeadLetter(db as unknown as Db<EventTables>, reaction.name, reaction.topic, parcel, error)
      await pause(wait)
    }
  }
}

/**
 * Subscribes a reaction. A batch is one transaction; when it fails its facts are taken one by one, so that the one at fault is tried
 * again, then filed, and the others go on. An outage of the database throws: the bus delivers again.
 */
export const subscribeConsumer = <Tables extends EventTables>(
  given: { db: Db<Tables>; bus: Bus },
  reaction: Consumer<Tables>,
  options: ConsumerOptions = {},
): Promise<void> =>
  given.bus.subscribe({
    topic: reaction.topic,
    group: reaction.name,
    handle: async (messages) => {
      const parcels = messages.map(open).filter((parcel) => isWanted(reaction as never, parcel))
      if (parcels.length === 0) return
      try {
        await act(given.db, reaction, parcels)
      } catch (error) {
        if (isOutage(error)) throw error
        for (const parcel of parcels) await insist(given.db, reaction, parcel, options)
      }
    },
  })
