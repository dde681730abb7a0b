import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import type { MissedLooks } from './missed-looks.ts'
import { countFor, listenTo, unlistenTo } from './notices.ts'

/** The statements by which graphile-worker 0.18 records the end of a job of a queue. */
const FREES = /^(?:complete|fail)_job_q\//

type Freed = (values: readonly unknown[]) => void

/**
 * Watches the connections that a pool opens from now on. Returns a function that adds callbacks, which are called whenever one of these
 * connections has freed a queue, with the values of the statement: the id of the worker pool is among them.
 */
export const watchFreed = (pool: pg.Pool): ((call: Freed) => void) => {
  const calls: Freed[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const watched = (...given: unknown[]) => {
      const answer = query(...given)
      const { name, values = [] } = (given[0] ?? {}) as { name?: string; values?: readonly unknown[] }
      const tell = () => {
        for (const call of calls) call(values)
      }
      if (name && FREES.test(name)) (answer as Promise<unknown>).then(tell).catch(() => {})
      return answer
    }
    client.query = watched as typeof client.query
  })
  return (call) => void calls.push(call)
}

type Polled = {
  events: WorkerEvents
  /** The schema of the jobs, and the names of those that these workers run. */
  schema: string
  names: readonly string[]
  workers: number
  /** Shared by all lanes of the service. */
  onFreed: ReturnType<typeof watchFreed>
  missed: MissedLooks
}

/**
 * Makes workers look for jobs when there may be some, and only then. graphile-worker by itself looks first and then listens for new jobs:
 * it misses a job added in between, whenever a worker starts or its listening connection was lost. It also looks for the next job before it
 * has recorded the end of the last one, and finds that queue locked, so that it would run one job of a queue per poll. With this, only the
 * lane of the ended job looks again. And by itself every job that any service adds to the same database wakes the workers of all services.
 */
export const pollSooner = ({ events, schema, names, workers, onFreed, missed }: Polled): void => {
  let current: WorkerPool | undefined
  const listening = new WeakSet<pg.PoolClient>()
  const nudge = (count: number) => {
    if (current?._active && !current._shuttingDown) current.nudge(count)
  }
  const noteReason = missed.watch(events, () => nudge(1))
  const look = (count: number) => {
    noteReason()
    nudge(count)
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
    // The event comes before LISTEN is sent, on a connection that does nothing else. A lost connection is noticed elsewhere.
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
    // A connection that stops while LISTEN is under way is closed soon.
    if (listening.delete(client)) client.query(unlistenTo(schema)).catch(() => {})
  })
  onFreed((values) => {
    if (current && values.includes(current.id)) look(1)
  })
}
