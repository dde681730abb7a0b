import pg from 'pg'
import type { Bus } from './bus.ts'

/** Moves facts from a schema's outbox to the bus. */
export type Relay = {
  /** There is something to move. Cheap: many calls within a moment make one round. */
  wake(): void
  /** Whether nothing is being moved and nobody has woken it. */
  isIdle(): boolean
  /** Moves what there is now; resolves when the outbox was seen empty, or when another relay holds the lock. */
  drain(): Promise<void>
  close(): Promise<void>
}

export type RelayOptions = {
  url: string
  bus: Bus
  onError?: (error: unknown) => void
  /** Wakes by NOTIFY from other processes; without it only `wake` and the interval do. */
  listen?: string
  /** Looks at the outbox this often even when nobody woke it, in milliseconds. */
  intervalMilliseconds?: number
}

const BATCH = 500
/** Rounds start at most this often, in milliseconds: a burst of posts makes few rounds. */
const PAUSE = 20
/** The advisory lock of relays; one schema's lock is (this, hash of the schema's name). */
const RELAY_LOCK = 4_711

type Row = { id: string; topic: string; key: string; envelope: Buffer }

/**
 * One relay at a time works a schema, under an advisory lock held by its connection and freed with it. It reads the lowest rows, publishes
 * them, and deletes what the bus acknowledged: never a cursor over ids, which would skip a transaction that commits late.
 */
export const createRelay = (options: RelayOptions): Relay => {
  let client: pg.Client | undefined
  let isClosed = false
  let isWoken = false
  let running: Promise<void> | undefined
  let lastRound = 0
  let timer: NodeJS.Timeout | undefined

  const connected = async () => {
    if (client) return client
    const fresh = new pg.Client({ connectionString: options.url })
    fresh.on('error', () => {
      if (client === fresh) client = undefined
    })
    await fresh.connect()
    const locked = await fresh.query('select pg_try_advisory_lock($1, hashtext(current_schema())) as held', [RELAY_LOCK])
    if (!locked.rows[0].held) {
      await fresh.end()
      return undefined
    }
    if (options.listen) {
      fresh.on('notification', wake)
      await fresh.query(`listen ${pg.escapeIdentifier(options.listen)}`)
    }
    client = fresh
    return fresh
  }

  const moveBatch = async (holder: pg.Client) => {
    const { rows } = await holder.query<Row>({
      name: 'outbox',
      text: 'select id, topic, key, envelope from outbox order by id limit $1',
      values: [BATCH],
    })
    for (const topic of new Set(rows.map((row) => row.topic))) {
      const batch = rows.filter((row) => row.topic === topic)
      await options.bus.publish(topic, batch)
      await holder.query({ name: 'sent', text: 'delete from outbox where id = any($1::bigint[])', values: [batch.map((row) => row.id)] })
    }
    return rows.length
  }

  const round = async () => {
    const holder = await connected()
    if (!holder) return
    while (!isClosed && (await moveBatch(holder)) > 0);
  }

  const run = (): Promise<void> => {
    if (running) return running
    isWoken = false
    lastRound = Date.now()
    running = round()
      .catch((error) => {
        options.onError?.(error)
        const broken = client
        client = undefined
        broken?.end().catch(() => {})
      })
      .finally(() => {
        running = undefined
        if (isWoken) schedule()
      })
    return running
  }

  const schedule = () => {
    if (timer || running || isClosed) return
    const wait = Math.max(0, lastRound + PAUSE - Date.now())
    timer = setTimeout(() => {
      timer = undefined
      run()
    }, wait)
  }

  const wake = () => {
    isWoken = true
    schedule()
  }

  const interval = setInterval(wake, options.intervalMilliseconds ?? 1000)

  return {
    wake,
    isIdle: () => !isWoken && !running && !timer,
    async drain() {
      await running
      await run()
    },
    async close() {
      isClosed = true
      clearInterval(interval)
      clearTimeout(timer)
      await running
      await client?.end()
    },
  }
}
