import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Bus } from './bus.ts'
import { MAY_PUBLISH } from './hold.ts'
import { pace } from './pace.ts'

/** Moves facts from a schema's outbox to the bus. */
export type Relay = {
  /** There is something to move. Cheap: many calls within a moment make one round. */
  wake(): void
  /** Whether nothing is being moved and nobody has woken it. */
  isIdle(): boolean
  /** Moves what there is now; resolves when the outbox was seen empty, when another relay holds the lock, or when a fault was told. */
  drain(): Promise<void>
  /** When it last finished a round or a part of one (performance.now()). It goes round at each interval, woken or not. */
  lastRound(): number
  /** Moves what there is one last time, for some seconds at most, and stops. */
  close(): Promise<void>
}

export type RelayOptions = {
  url: string
  bus: Bus
  onError?: (error: unknown) => void
  /** Told how many facts the bus has acknowledged. */
  onPublished?: (count: number) => void
  /** Wakes by NOTIFY on this channel from other processes; without it only `wake` and the interval do. */
  listen?: string
  /** Looks at the outbox this often even when nobody woke it, in milliseconds. */
  intervalMilliseconds?: number
}

const BATCH = 500
/** Rounds start at most this often, in milliseconds: a burst of posts makes few rounds. */
const PAUSE = 20
/** What cannot be moved in this time when the relay closes is left to the next one, in milliseconds. */
const FLUSH_MILLISECONDS = 5000
const CONNECT_MILLISECONDS = 5000
/** The advisory lock of relays; one schema's lock is (this, hash of the schema's name). */
const RELAY_LOCK = 4_711
/** Marks of handled facts are kept longer than any bus keeps the facts. */
const FORGET_AFTER = '14 days'
const FORGET_EVERY = 3_600_000

type Row = { id: string; topic: string; key: string; envelope: Buffer }

const publishLowest = async (client: pg.Client, { bus, onPublished }: RelayOptions) => {
  const text = `select id, topic, key, envelope from outbox where ${MAY_PUBLISH} order by id limit $1`
  const { rows } = await client.query<Row>({ name: 'outbox', text, values: [BATCH] })
  for (const topic of new Set(rows.map((row) => row.topic))) {
    const batch = rows.filter((row) => row.topic === topic)
    await bus.publish(topic, batch)
    onPublished?.(batch.length)
    await client.query({ name: 'sent', text: 'delete from outbox where id = any($1::bigint[])', values: [batch.map((row) => row.id)] })
  }
  return rows.length
}

const forgetOld = (client: pg.Client) =>
  client.query('delete from processed_event where processed_at < now() - $1::interval', [FORGET_AFTER])

/** A connection that works the outbox while it holds the schema's lock, and asks for it again while another does. */
const openHolder = async (options: RelayOptions, wake: () => void) => {
  const client = new pg.Client({ connectionString: options.url, connectionTimeoutMillis: CONNECT_MILLISECONDS })
  let isLost = false
  let isHolding = false
  client.on('error', () => {
    isLost = true
  })
  client.on('notification', wake)
  await client.connect()
  return {
    client,
    isLost: () => isLost,
    async mayWork() {
      if (isHolding) return true
      const { rows } = await client.query('select pg_try_advisory_lock($1, hashtext(current_schema())) as held', [RELAY_LOCK])
      isHolding = rows[0].held
      if (isHolding && options.listen) await client.query(`listen ${pg.escapeIdentifier(options.listen)}`)
      return isHolding
    },
  }
}

/**
 * One relay at a time works a schema, under an advisory lock held by its connection and freed with it. It reads the lowest rows, publishes
 * them, and deletes what the bus acknowledged: never a cursor over ids, which would skip a transaction that commits late.
 * It also forgets the marks of facts handled long ago.
 */
export const createRelay = (options: RelayOptions): Relay => {
  let holder: Awaited<ReturnType<typeof openHolder>> | undefined
  let running: Promise<void> | undefined
  let isWoken = false
  let isClosed = false
  let lastForgotten = 0
  let lastRound = performance.now()

  const moveAll = async () => {
    if (!holder || holder.isLost()) holder = await openHolder(options, wake)
    if (!(await holder.mayWork())) return
    while (!isClosed && (await publishLowest(holder.client, options)) > 0) lastRound = performance.now()
    if (Date.now() - lastForgotten < FORGET_EVERY) return
    lastForgotten = Date.now()
    await forgetOld(holder.client)
  }

  const round = (): Promise<void> => {
    if (running) return running
    isWoken = false
    running = moveAll()
      .catch((error) => options.onError?.(error))
      .finally(() => {
        running = undefined
        lastRound = performance.now()
        if (isWoken) rounds.run()
      })
    return running
  }

  const rounds = pace(PAUSE, () => void round())
  const wake = () => {
    if (isClosed) return
    isWoken = true
    if (!running) rounds.run()
  }
  const interval = setInterval(wake, options.intervalMilliseconds ?? 1000)

  return {
    wake,
    lastRound: () => lastRound,
    isIdle: () => !isWoken && !running && !rounds.isWaiting,
    async drain() {
      await running
      await round()
    },
    async close() {
      clearInterval(interval)
      rounds.stop()
      await running
      if (holder && !holder.isLost()) await Promise.race([round(), pause(FLUSH_MILLISECONDS, undefined, { ref: false })])
      isClosed = true
      rounds.stop()
      await running
      await holder?.client.end()
    },
  }
}
