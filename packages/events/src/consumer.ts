import { setTimeout as pause } from 'node:timers/promises'
import { type Db, LONG_STATEMENT, type Tx, transact, withStatementLimit } from '@rookery/database'
import { isOutage } from '@rookery/failures'
import type { Bus, Message, Subscription } from './bus.ts'
import { fileDeadLetter } from './dead-letter.store.ts'
import { type EventKind, type EventOf, idOfBytes, type Received, readEnvelope } from './envelope.ts'
import { claimNew } from './processed.ts'
import type { EventTables } from './tables.ts'

/**
 * A reaction to events: `handle` acts on a set of them in one transaction that also records them, so each is acted on once, unless a repeat
 * does no harm (`isIdempotent`). Messages to open streams are not part of that transaction: `publishBefore` and `publishAfter` run outside
 * it, at least once for each event, before the events are acknowledged to the bus, and again for events that are delivered again. They read
 * rows as they stand.
 */
export type Consumer<Tables extends EventTables = EventTables> = {
  /** Names it in tables, metrics and the log, e.g. statuses.fan-out. */
  readonly name: string
  readonly topic: string
  readonly kinds: readonly EventKind[]
  /** Acting on an event again changes nothing, now or later: what it wrote is not recorded, which saves a row for each event. */
  readonly isIdempotent?: boolean
  /** No one waits for what it does: where events come over a broker, those of a quarter of a second are taken together. */
  readonly isUnhurried?: boolean
  /** Leaves out events that mean nothing here, before any transaction is begun for them. */
  concerns?(event: EventOf<EventKind>): boolean
  /**
   * Reads which events mean something here, where they do not say so themselves, before any transaction is begun for them. What is left out is
   * not recorded: it is read again when it comes again.
   */
  pick?(db: Db<Tables>, received: readonly Received<EventKind>[]): Promise<readonly Received<EventKind>[]>
  handle(tx: Tx<Tables>, received: readonly Received<EventKind>[]): Promise<void>
  /** Announces what `handle` takes away, while the rows still show who has it, and does what is not to wait for its transaction. */
  publishBefore?(received: readonly Received<EventKind>[]): Promise<void>
  /** Announces what `handle` made, once it is committed. */
  publishAfter?(received: readonly Received<EventKind>[]): Promise<void>
}

/** Declares a reaction, typed by the kinds of event it wants. */
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

/** What a consumer reports for metrics. */
export type ConsumerObserver = {
  /** Events are done, those too that it had acted on before; the oldest of them happened so long ago. */
  handled(consumer: string, count: number, delaySeconds: number): void
  /** A try to act on events failed. */
  failed(consumer: string): void
}

type ConsumerOptions = {
  onError?: (error: unknown, consumer: string) => void
  observe?: ConsumerObserver
  /** Pauses before a failed event is tried again, in milliseconds; after the last it becomes a dead letter. */
  retryAfter?: readonly number[]
}

const RETRY_AFTER = [100, 500, 2000]

type Parcel = { message: Message; received: Received<EventKind> }

/** Each event once, though a publisher that tried again put it into the batch twice. */
const distinct = (parcels: readonly Parcel[]): Received<EventKind>[] => [
  ...new Map(parcels.map(({ received }) => [received.id, received])).values(),
]

/** Those that mean something to a reaction. */
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
    // A publisher that tries again may have put an event into the batch twice: deleting its id lets the first one through alone.
    const news = parcels.filter(({ received }) => fresh.delete(received.id)).map(({ received }) => received)
    if (news.length > 0) await reaction.handle(tx, news)
  })
}

/** One event, until it is done (true) or filed as a dead letter. */
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

/** The messages the reaction wants. What is no envelope will never be one: it is filed at once. */
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

/** Acts on all of them at once, or one by one when that fails; returns those that are done. @throws an outage of the database */
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
 * Announces events. What goes wrong is reported and passed over: the events are acted on all the same, and the publisher has reported a
 * gap. @throws an outage of the database
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
 * Subscribes reactions as one group. A batch is one transaction of each; when it fails its events are taken one by one, so that the one at
 * fault is tried again, then filed, and the others go on. An outage of the database throws: the bus delivers again.
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
