import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import type pg from 'pg'

/**
 * Has workers look for jobs once their pool listens for new ones. graphile-worker looks first and listens then: a job that is added between
 * the two would wait for the next poll, whenever a worker starts or its listening connection was lost.
 */
export const pollWhenListening = (events: WorkerEvents, workers: number): void => {
  events.on('pool:listen:success', ({ workerPool, client }: { workerPool: WorkerPool; client: pg.PoolClient }) => {
    // The event comes before LISTEN is sent, on a connection that does nothing else.
    client.once('drain', () => {
      if (workerPool._active && !workerPool._shuttingDown) workerPool.nudge(workers)
    })
  })
}
