import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import type pg from 'pg'

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

/**
 * Has workers look for jobs when there may be some, where graphile-worker would wait for its next poll. It looks first and listens for new jobs
 * then: one that is added between the two is not noticed, whenever a worker starts or its listening connection was lost. And it looks for the
 * next job before it has noted the end of the last one, and finds that one's queue taken: a queue was worked at one job every poll.
 */
export const pollSooner = (pool: pg.Pool, events: WorkerEvents, workers: number): void => {
  let current: WorkerPool | undefined
  const look = (count: number) => {
    if (current?._active && !current._shuttingDown) current.nudge(count)
  }
  events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => {
    current = workerPool
  })
  // The event comes before LISTEN is sent, on a connection that does nothing else.
  events.on('pool:listen:success', ({ client }: { client: pg.PoolClient }) => client.once('drain', () => look(workers)))
  onFreed(pool, () => look(1))
}
