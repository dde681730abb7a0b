import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import type pg from 'pg'

/** The statements by which graphile-worker 0.18 notes the end of a job of a queue. */
const FREES = /^(?:complete|fail)_job_q\//

/**
 * Has workers look for jobs once a queue is free. graphile-worker looks for the next job before it has noted the end of the last one, finds
 * that one's queue taken, and would wait for the next poll: a queue was worked at one job every five seconds.
 */
export const pollWhenFreed = (pool: pg.Pool, events: WorkerEvents): void => {
  let workers: WorkerPool | undefined
  events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => {
    workers = workerPool
  })
  const look = () => {
    if (workers?._active && !workers._shuttingDown) workers.nudge(1)
  }
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    const watched = (...given: unknown[]) => {
      const answer = query(...given)
      const { name } = (given[0] ?? {}) as { name?: string }
      if (name && FREES.test(name)) (answer as Promise<unknown>).then(look, () => {})
      return answer
    }
    client.query = watched as typeof client.query
  })
}
