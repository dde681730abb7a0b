import { setTimeout as pause } from 'node:timers/promises'
import { LONG_STATEMENT, type SessionLimits, withStatementLimit } from '@rookery/database'
import { every } from '@rookery/handles'
import type { Bus } from './bus.ts'
import { MAY_PUBLISH } from './pause-relay.ts'
import { openRelaySession, type RelaySession } from './relay-session.ts'
import { stalledOutbox } from './stalled-outbox.ts'
import { throttle } from './throttle.ts'

/** Moves events from a schema's outbox to the bus. */
export type Relay = {
  /** There is something to move. Cheap: many calls within a moment make one round. */
  wake(): void
  /** Whether nothing is being moved and no one has woken it. */
  isIdle(): boolean
  /** Moves what there is now; resolves when the outbox was seen empty, when another relay holds the lock, or when a fault was reported. */
  drain(): Promise<void>
  /** When it last finished a round or a part of one (performance.now()). It goes round at each interval, woken or not. */
  lastRound(): number
  /** Whether this relay, of all that work the schema, is the one that moves events. */
  isHolding(): boolean
  /** For how long the oldest event has been the same one, whichever relay works the schema, in milliseconds; 0 when none waits. */
  stalledMilliseconds(): number
  /** Moves what there is one last time, for some seconds at most, and stops. */
  close(): Promise<void>
}

export type RelayOptions = {
  url: string
  bus: Bus
  onError?: (error: unknown) => void
  /** Called with the number of events that the bus acknowledged. */
  onPublished?: (count: number) => void
  /** Wakes by NOTIFY on this channel from other processes; without it only `wake` and the interval do. */
  listen?: string
  /** Looks at the outbox this often even when no one woke it, in milliseconds. */
  intervalMilliseconds?: number
  limits?: Partial<SessionLimits>
  /** The server ends this relay's session, and frees its lock, when it hears nothing for so long, in milliseconds. */
  idleMilliseconds?: number
}

const BATCH = 500
/** Rounds start at most this often, in milliseconds: a burst of posts makes few rounds. */
const PAUSE = 20
/** What cannot be moved in this time when the relay closes is left to the next one, in milliseconds. */
const FLUSH_MILLISECONDS = 5000
/** How long marks of handled events are kept, longer than any bus keeps the events; and dead letters, for an operator. */
const KEPT = [
  { table: 'processed_event', column: 'processed_at', keptFor: '14 days' },
  { table: 'dead_letter', column: 'failed_at', keptFor: '90 days' },
] as const
const FORGET_EVERY = 3_600_000
/** Rows of a table that one round forgets: events that wait meanwhile are published before the next ones. */
const FORGET_AT_ONCE = 5000

type Row = { id: string; topic: string; key: string; envelope: Buffer }

const OLDEST = `select id, topic, key, envelope from outbox where ${MAY_PUBLISH} order by id limit $1`

const publishBatch = async (session: RelaySession, rows: readonly Row[], { bus, onPublished }: RelayOptions) => {
  for (const topic of new Set(rows.map((row) => row.topic))) {
    const batch = rows.filter((row) => row.topic === topic)
    await session.keepDuring(bus.publish(topic, batch))
    onPublished?.(batch.length)
    const ids = batch.map((row) => row.id)
    await session.client.query({ name: 'sent', text: 'delete from outbox where id = any($1::bigint[])', values: [ids] })
  }
}

/** Forgets some of what is old; answers whether there is more. */
const forgetSome = async ({ client }: RelaySession): Promise<boolean> => {
  let hasMore = false
  for (const { table, column, keptFor } of KEPT) {
    const text = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${column} < now() - $1::interval limit ${FORGET_AT_ONCE}))`
    const { rowCount } = await withStatementLimit(LONG_STATEMENT, () => client.query(text, [keptFor]))
    hasMore ||= rowCount === FORGET_AT_ONCE
  }
  return hasMore
}

/**
 * One relay at a time works a schema, under an advisory lock held by its connection and freed with it. It reads the lowest rows, publishes
 * them, and deletes what the bus acknowledged: never a cursor over ids, which would skip a transaction that commits late.
 * It also forgets the marks of events handled long ago, and old dead letters, some in each round.
 */
export const createRelay = (options: RelayOptions): Relay => {
  const { url, listen, limits = {}, idleMilliseconds } = options
  const stalled = stalledOutbox()
  let session: RelaySession | undefined
  let running: Promise<void> | undefined
  let isWoken = false
  let isClosed = false
  let lastForgotten = 0
  let lastRound = performance.now()

  const open = () => openRelaySession({ url, limits, wake, ...(listen && { listen }), ...(idleMilliseconds && { idleMilliseconds }) })
  const readOldest = async ({ client }: RelaySession) => {
    const { rows } = await client.query<Row>({ name: 'outbox', text: OLDEST, values: [BATCH] })
    stalled.note(rows[0]?.id)
    return rows
  }
  const moveAll = async () => {
    if (!session || session.isLost()) session = await open()
    if (!session.isHolding()) stalled.note((await session.requestLock()).oldest)
    if (!session.isHolding()) return
    for (let rows = await readOldest(session); rows.length > 0 && !isClosed; rows = await readOldest(session)) {
      await publishBatch(session, rows, options)
      lastRound = performance.now()
    }
    if (Date.now() - lastForgotten < FORGET_EVERY) return
    if (await forgetSome(session)) isWoken = true
    else lastForgotten = Date.now()
  }

  const round = (): Promise<void> => {
    if (running) return running
    isWoken = false
    // This round moves what a waiting one was to move.
    rounds.stop()
    running = moveAll()
      .catch((error) => options.onError?.(error))
      .finally(() => {
        running = undefined
        lastRound = performance.now()
        if (isWoken) rounds.run()
      })
    return running
  }

  const onError = (error: unknown) => options.onError?.(error)
  const rounds = throttle(PAUSE, () => round(), onError)
  const wake = () => {
    if (isClosed) return
    isWoken = true
    if (!running) rounds.run()
  }
  const interval = every(options.intervalMilliseconds ?? 1000, wake, { onError })

  return {
    wake,
    lastRound: () => lastRound,
    isHolding: () => session?.isHolding() ?? false,
    stalledMilliseconds: stalled.milliseconds,
    isIdle: () => !isWoken && !running && !rounds.isWaiting,
    async drain() {
      await running
      await round()
    },
    async close() {
      interval.stop()
      rounds.stop()
      await running
      if (session && !session.isLost()) await Promise.race([round(), pause(FLUSH_MILLISECONDS, undefined, { ref: false })])
      isClosed = true
      rounds.stop()
      await running
      await session?.client.end()
    },
  }
}
