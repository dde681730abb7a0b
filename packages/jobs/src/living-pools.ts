import { EventEmitter } from 'node:events'
import type { SessionLimits } from '@rookery/database'
import { every } from '@rookery/handles'
import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import { lockHolder } from './lock-holder.ts'

/** Jobs taken more recently are left alone: a pool shows that it is alive a moment after it began to take them. */
const TIMEOUT_SECONDS = 5

/** Frees the jobs and queues of pools whose lock is not held: they died with their process. $1 are those of this process. */
const freeOfTheDead = (schema: string) => `
  with taken as (
    select locked_by from ${schema}._private_jobs where locked_at < now() - interval '${TIMEOUT_SECONDS} seconds'
    union select locked_by from ${schema}._private_job_queues where locked_at < now() - interval '${TIMEOUT_SECONDS} seconds'),
  dead as materialized (
    select locked_by from taken where locked_by <> all($1) and pg_try_advisory_xact_lock(hashtext('${schema}'), hashtext(locked_by)))
  select ${schema}.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`

/** The worker pools of this process, as other processes see them. */
type LivingPools = {
  /** The events for callers that start pools, one for each concurrent pool. */
  eventsOfPool(): WorkerEvents
  close(): Promise<void>
}

/**
 * Shows other processes which worker pools are alive here, by advisory locks that end with this process, and frees the jobs of dead pools:
 * graphile-worker by itself leaves the jobs of a killed process locked for four hours. Without a connection it waits for the next sweep, as
 * the workers do.
 */
export const livingPools = ({
  url,
  limits,
  schema,
  sweepMilliseconds,
}: {
  url: string
  limits: Partial<SessionLimits>
  schema: string
  sweepMilliseconds: number
}): LivingPools => {
  const living = new Set<string>()
  const holder = lockHolder({ url, limits, space: schema, keys: living })
  const sweep = () => holder.send(freeOfTheDead(schema), [[...living]])
  void sweep()
  const timer = every(sweepMilliseconds, sweep, { onError: () => {}, holdsProcess: false })

  return {
    eventsOfPool() {
      const events: WorkerEvents = new EventEmitter()
      events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => {
        living.add(workerPool.id)
        holder.change(workerPool.id)
      })
      events.on('pool:release', ({ workerPool }: { workerPool: WorkerPool }) => {
        living.delete(workerPool.id)
        holder.change(workerPool.id)
      })
      return events
    },
    async close() {
      timer.stop()
      await holder.close()
    },
  }
}
