import { setTimeout as pause } from 'node:timers/promises'
import { type Db, LONG_STATEMENT, type Tx, transact, withStatementLimit } from '@rookery/database'
import { isOutage } from '@rookery/failures'
import type { Bus, Message, Subscription } from './bus.ts'
import { fileDeadLetter } from './dead-letter.store.ts'
import { type EventKind, type EventOf, idOfBytes, type Received, readEnvelope } from './envelope.ts'
import { claimNew } from './processed.ts'
import type { EventTables } from './tables.ts'

/**
 * A consumer of events: `handle` acts on a batch in one transaction that also records the events, so that each is acted on once, unless
 * repeats are harmless (`isIdempotent`). Live messages are not part of that transaction: `publishBefore` and `publishAfter` run outside it,
 * at least once for each event, before the events are acknowledged to the bus, and again for events that are delivered again. They read the
 * current rows.
 */
export type Consumer<Tables extends EventTables = EventTables> = {
  /** The name in tables, metrics and logs, e.g. statuses.fan-out. */
  readonly name: string
  readonly topic: string
  readonly kinds: readonly EventKind[]
  /** Acting on an event twice changes nothing, now or later. Its events are not recorded as handled, which saves a row for each. */
  readonly isIdempotent?: boolean
  /** Latency does not matter: over a broker, the events of a quarter of a second are delivered together. */
  readonly isUnhurried?: boolean
  /** Filters out irrelevant events, before a transaction is begun for them. */
  concerns?(event: EventOf<EventKind>): boolean
  /**
   * Selects relevant events by reading the database, before a transaction is begun for them. Events left out are not recorded, and are
   * selected again when they are delivered again.
   */
  pick?(db: Db<Tables>, received: readonly Received<EventKind>[]): Promise<readonly Received<EventKind>[]>
  handle(tx: Tx<Tables>, received: readonly Received<EventKind>[]): Promise<void>
  /**
   * Publishes live messages about what `handle` will delete, while the rows still show the recipients; also for work that must not wait for
   * the transaction.
   */
  publishBefore?(received: readonly Received<EventKind>[]): Promise<void>
  /** Publishes live messages about what `handle` wrote, after the commit. */
  publishAfter?(received: readonly Received<EventKind>[]): Promise<void>
}

/** Declares a consumer, typed by the kinds of its events. */
export const consumer = <Tables extends EventTables, Kind extends EventKind>(declared: {
  name: string
  topic: string
  kinds: readonly Kind[]
  isIdempotent?: boolean
  isUnhurried?: boolean
  concerns?(event: EventOf<Kind>): boolean
  pick?(db: Db<Tables>, received: readonly Received<Kind>[]): Promise<readonly Received<Kind>[]>
  handle(tx: Tx<Tables>, received: readonly Received<Kind>[]): Promise<void>
  publishBefore?(received: readonly Received<Kind>[]): Promise<void>
  publishAfter?(received: readonly Received<Kind>[]): Promise<void>
}): Consumer<Tables> => declared as unknown as Consumer<Tables>

/** Receives metrics of a consumer. */
export type ConsumerObserver = {
  /** Events were handled, repeats included; `delaySeconds` is the age of the oldest. */
  handled(consumer: string, count: number, delaySeconds: number): void
  /** An attempt to handle events failed. */
  failed(consumer: string): void
}

type ConsumerOptions = {
  onError?: (error: unknown, consumer: string) => void
  observe?: ConsumerObserver
  /** Pauses between retries of a failed event, in milliseconds; after the last it becomes a dead letter. */
  retryAfter?: readonly number[]
}

const RETRY_AFTER = [100, 500, 2000]

type Parcel = { message: Message; received: Received<EventKind> }

/** Removes duplicates: a publisher that retried may have put an event into the batch twice. */
const distinct = (parcels: readonly Parcel[]): Received<EventKind>[] => [
  ...new Map(parcels.map(({ received }) => [received.id, received])).values(),
]

/** The parcels that the consumer selects by `pick`. */
const picked = async <Tables extends EventTables>(db: Db<Tables>, reaction: Consumer<Tables>, parcels: readonly Parcel[]) => {
  if (!reaction.pick) return parcels
  const wanted = new Set((await reaction.pick(db, distinct(parcels))).map(({ id }) => id))
  return parcels.filter(({ received }) => wanted.has(received.id))
}

const act = async <Tables extends EventTables>(db: Db<Tables>, reaction: Consumer<Tables>, given: readonly Parcel[]) => {
  const parcels = await picked(db, reaction, given)
  if (parcels.length === 0) return
  await transact(db, async (tx) => {
    if (reaction.isIdempotent) return reaction.handle(tx, distinct(parcels))
    const ids = parcels.map(({ received }) => received.id)
    const fresh = await claimNew(tx as unknown as Tx<EventTables>, reaction.name, ids)
    // An event may be in the batch twice. Deleting its id lets only the first one through.
    const news = parcels.filter(({ received }) => fresh.delete(received.id)).map(({ received }) => received)
    if (news.length > 0) await reaction.handle(tx, news)
  })
}

/** Retries one event until it is handled (true) or stored as a dead letter. */
const handleWithRetries = async <Tables extends EventTables>(
  db: Db<Tables>,
  reaction: Consumer<Tables>,
  parcel: Parcel,
  options: ConsumerOptions,
): Promise<boolean> => {
  const pauses = options.retryAfter ?? RETRY_AFTER
  for (let attempt = 0; ; attempt++) {
    try {
      await act(db, reaction, [parcel])
      return true
    } catch (error) {
      options.observe?.failed(reaction.name)
      if (isOutage(error)) throw error
      options.onError?.(error, reaction.name)
      const wait = pauses[attempt]
      if (wait === undefined) {
        await fileDeadLetter(db, reaction, { ...parcel, id: parcel.received.id, error })
        return false
      }
      await pause(wait)
    }
  }
}

const isWanted = <Tables extends EventTables>({ kinds, concerns }: Consumer<Tables>, { event }: Received<EventKind>): boolean =>
  kinds.includes(event.$case) && (concerns?.(event) ?? true)

/**
 * Decodes the messages and keeps those that the consumer wants. Bytes that are not an envelope become a dead letter at once: a retry cannot
 * help.
 */
const openWanted = async <Tables extends EventTables>(
  db: Db<Tables>,
  reaction: Consumer<Tables>,
  messages: readonly Message[],
  options: ConsumerOptions,
): Promise<Parcel[]> => {
  const parcels: Parcel[] = []
  for (const message of messages) {
    try {
      const received = readEnvelope(message.envelope)
      if (received && isWanted(reaction, received)) parcels.push({ message, received })
    } catch (error) {
      options.onError?.(error, reaction.name)
      await fileDeadLetter(db, reaction, { message, id: idOfBytes(message.envelope), error })
    }
  }
  return parcels
}

const reportHandled = ({ observe }: ConsumerOptions, consumer: string, parcels: readonly Parcel[]) => {
  if (!observe) return
  const oldest = Math.min(...parcels.map(({ received }) => received.occurredAtMilliseconds))
  observe.handled(consumer, parcels.length, Math.max(0, Date.now() - oldest) / 1000)
}

/** Handles all events in one transaction, or one by one if that fails; returns the handled ones. @throws an outage of the database */
const actOnAll = async <Tables extends EventTables>(
  db: Db<Tables>,
  reaction: Consumer<Tables>,
  parcels: readonly Parcel[],
  options: ConsumerOptions,
): Promise<readonly Parcel[]> => {
  try {
    await act(db, reaction, parcels)
    return parcels
  } catch (error) {
    options.observe?.failed(reaction.name)
    if (isOutage(error)) throw error
    const done: Parcel[] = []
    for (const parcel of parcels) if (await handleWithRetries(db, reaction, parcel, options)) done.push(parcel)
    return done
  }
}

/**
 * Publishes live messages. Errors are reported but not retried: the events are handled all the same, and the publisher has reported a gap.
 * @throws an outage of the database
 */
const publishLive = async (
  { name }: { name: string },
  work: ((received: readonly Received<EventKind>[]) => Promise<void>) | undefined,
  { parcels, options }: { parcels: readonly Parcel[]; options: ConsumerOptions },
) => {
  if (!work || parcels.length === 0) return
  try {
    await work(distinct(parcels))
  } catch (error) {
    if (isOutage(error)) throw error
    options.onError?.(error, name)
  }
}

const subscriptionOf = <Tables extends EventTables>(
  db: Db<Tables>,
  reaction: Consumer<Tables>,
  options: ConsumerOptions,
): Subscription => ({
  topic: reaction.topic,
  consumer: reaction.name,
  ...(reaction.isUnhurried && { isUnhurried: true }),
  handle: (messages) =>
    withStatementLimit(LONG_STATEMENT, async () => {
      const parcels = await openWanted(db, reaction, messages, options)
      if (parcels.length === 0) return
      await publishLive(reaction, reaction.publishBefore, { parcels, options })
      const done = await actOnAll(db, reaction, parcels, options)
      await publishLive(reaction, reaction.publishAfter, { parcels: done, options })
      reportHandled(options, reaction.name, parcels)
    }),
})

/**
 * Subscribes consumers as one group. Each handles a batch in one transaction; if it fails, the events are handled one by one, so that only
 * the faulty one is retried and becomes a dead letter. An outage of the database throws, and the bus delivers again.
 */
export const subscribeConsumers = <Tables extends EventTables>(
  given: { db: Db<Tables>; bus: Bus; group: string },
  reactions: readonly Consumer<Tables>[],
  options: ConsumerOptions = {},
): Promise<void> =>
  given.bus.subscribe(
    given.group,
    reactions.map((reaction) => subscriptionOf(given.db, reaction, options)),
  )
