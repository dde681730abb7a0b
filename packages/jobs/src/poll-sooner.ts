import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import { countFor, listenTo, unlistenTo } from './notices.ts'

/** The statements by which graphile-worker 0.18 notes the end of a job of a queue. */
const FREES = /^(?:complete|fail)_job_q\//

/** Calls back whenever a connection of the pool has freed a queue. */
const onFreed = (pool: pg.Pool, call: () => void): void => {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const watched = (...given: unknown[]) => {
      const answer = query(...given)
      const { name } = (given[0] ?? {}) as { name?: string }
      if (name && FREES.test(name)) (answer as Promise<unknown>).then(call).catch(() => {})
      return answer
    }
    client.query = watched as typeof client.query
  })
}

type Polled = {
  events: WorkerEvents
  /** The schema of the jobs, and the names of those that these workers run. */
  schema: string
  names: readonly string[]
  workers: number
}

/**
 * Has workers look for jobs when there may be some, and only then. graphile-worker by itself looks first and listens for new jobs then: one
 * that is added between the two is not noticed, whenever a worker starts or its listening connection was lost. It looks for the next job
 * before it has noted the end of the last one, and finds that one's queue taken: a queue was worked at one job every poll. And every job that
 * any service adds to the same database has all workers of all services look.
 */
export const pollSooner = (pool: pg.Pool, { events, schema, names, workers }: Polled): void => {
  let current: WorkerPool | undefined
  const listening = new WeakSet<pg.PoolClient>()
  const look = (count: number) => {
    if (current?._active && !current._shuttingDown) current.nudge(count)
  }
  const hear = ({ channel, payload }: pg.Notification) => {
    const count = channel === schema ? countFor(names, payload) : 0
    if (count > 0) look(count)
  }
  events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => {
    current = workerPool
  })
  events.on('pool:listen:success', ({ client }: { client: pg.PoolClient }) => {
    client.on('notification', hear)
    // The event comes before LISTEN is sent, on a connection that does nothing else. Who loses it hears of that by another way.
    client.once('drain', () =>
      client.query(listenTo(schema)).then(
        () => {
          listening.add(client)
          look(workers)
        },
        () => {},
      ),
    )
  })
  events.on('pool:listen:release', ({ client }: { client: pg.PoolClient }) => {
    client.off('notification', hear)
    // One that stops while it begins to listen is closed soon.
    if (listening.delete(client)) client.query(unlistenTo(schema)).catch(() => {})
  })
  onFreed(pool, () => look(1))
}
