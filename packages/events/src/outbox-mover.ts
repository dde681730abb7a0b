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
  /** Wakes by NOTIFY on this channel from other processes; without it only `wake` and the interval do. */
  listen?: string
  limits?: Partial<SessionLimits>
  /** The server ends this relay's session, and frees its lock, when it hears nothing for so long, in milliseconds. */
  idleMilliseconds?: number
}

const BATCH = 500
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

const publishBatch = async (session: RelaySession, rows: readonly Row[], { bus, onPublished }: OutboxMoverOptions) => {
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

/** Moves events over a session that holds the lock of the schema's relay, or waits for it. */
type OutboxMover = {
  /** Moves what there is, where it holds the lock. Answers whether there is more to do at once. @throws Error when Postgres or the bus is away */
  moveAll(): Promise<boolean>
  isHolding(): boolean
  /** Whether a session is open. */
  isOpen(): boolean
  stalledMilliseconds(): number
  /** Begins no further batch. */
  stop(): void
  close(): Promise<void>
}

/** `onBatch` is called after each batch that was moved, `wake` when another process has written to the outbox. */
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
