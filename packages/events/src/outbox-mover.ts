import { LONG_STATEMENT, type SessionLimits, withStatementLimit } from '@rookery/database'
import type { Bus } from './bus.ts'
import { MAY_PUBLISH } from './pause-relay.ts'
import { openRelaySession, type RelaySession } from './relay-session.ts'
import { stalledOutbox } from './stalled-outbox.ts'

export type OutboxMoverOptions = {
  url: string
  bus: Bus
  /** Called with the number of events that the bus acknowledged. */
  onPublished?: (count: number) => void
  /** Channel of NOTIFY by which other processes wake it; without it, only `wake` and the interval do. */
  listen?: string
  limits?: Partial<SessionLimits>
  /** idle_session_timeout: Postgres ends this relay's session, and frees its lock, after this long without a statement, in milliseconds. */
  idleMilliseconds?: number
}

const BATCH = 500
/** Retention of records of handled events, longer than any bus keeps the events; and of dead letters, for an operator. */
const KEPT = [
  { table: 'processed_event', column: 'processed_at', keptFor: '14 days' },
  { table: 'dead_letter', column: 'failed_at', keptFor: '90 days' },
] as const
const FORGET_EVERY = 3_600_000
/** Maximum rows of a table that one round deletes, so that new events do not wait long. */
const FORGET_AT_ONCE = 5000

type Row = { id: string; topic: string; key: string; envelope: Buffer }

const OLDEST = `select id, topic, key, envelope from outbox where ${MAY_PUBLISH} order by id limit $1`

const publishBatch = async (session: RelaySession, rows: readonly Row[], { bus, onPublished }: OutboxMoverOptions) => {
  for (const topic of new Set(rows.map((row) => row.topic))) {
    const batch = rows.filter((row) => row.topic === topic)
    await session.keepDuring(bus.publish(topic, batch))
    onPublished?.(batch.length)
    const ids = batch.map((row) => row.id)
    await session.client.query({ name: 'sent', text: 'delete from outbox where id = any($1::bigint[])', values: [ids] })
  }
}

/** Deletes some expired rows; returns whether there are more. */
const forgetSome = async ({ client }: RelaySession): Promise<boolean> => {
  let hasMore = false
  for (const { table, column, keptFor } of KEPT) {
    const text = `delete from ${table} where ctid = any(array(select ctid from ${table} where ${column} < now() - $1::interval limit ${FORGET_AT_ONCE}))`
    const { rowCount } = await withStatementLimit(LONG_STATEMENT, () => client.query(text, [keptFor]))
    hasMore ||= rowCount === FORGET_AT_ONCE
  }
  return hasMore
}

/** Moves events over a session that holds the advisory lock of the schema's relay, or waits for it. */
type OutboxMover = {
  /**
   * Moves all events in the outbox, if it holds the lock. Returns whether there is more to do at once. @throws Error when Postgres or the
   * bus is unreachable
   */
  moveAll(): Promise<boolean>
  isHolding(): boolean
  /** Whether a session is open. */
  isOpen(): boolean
  stalledMilliseconds(): number
  /** Starts no further batch. */
  stop(): void
  close(): Promise<void>
}

/** `onBatch` is called after each moved batch, `wake` when another process has written to the outbox. */
export const createOutboxMover = (
  options: OutboxMoverOptions,
  { wake, onBatch }: { wake: () => void; onBatch: () => void },
): OutboxMover => {
  const { url, listen, limits = {}, idleMilliseconds } = options
  const stalled = stalledOutbox()
  let session: RelaySession | undefined
  let isStopped = false
  let lastForgotten = 0

  const open = () => openRelaySession({ url, limits, wake, ...(listen && { listen }), ...(idleMilliseconds && { idleMilliseconds }) })
  const readOldest = async ({ client }: RelaySession) => {
    const { rows } = await client.query<Row>({ name: 'outbox', text: OLDEST, values: [BATCH] })
    stalled.note(rows[0]?.id)
    return rows
  }
  const forget = async (current: RelaySession) => {
    if (Date.now() - lastForgotten < FORGET_EVERY) return false
    const hasMore = await forgetSome(current)
    if (!hasMore) lastForgotten = Date.now()
    return hasMore
  }

  return {
    async moveAll() {
      if (!session || session.isLost()) session = await open()
      if (!session.isHolding()) stalled.note((await session.requestLock()).oldest)
      if (!session.isHolding()) return false
      for (let rows = await readOldest(session); rows.length > 0 && !isStopped; rows = await readOldest(session)) {
        await publishBatch(session, rows, options)
        onBatch()
      }
      return forget(session)
    },
    isHolding: () => session?.isHolding() ?? false,
    isOpen: () => session !== undefined && !session.isLost(),
    stalledMilliseconds: stalled.milliseconds,
    stop() {
      isStopped = true
    },
    close: async () => void (await session?.client.end()),
  }
}
