import { asFailure } from '@rookery/failures'
import { sleep } from '@rookery/handles'
import type { JobHelpers } from 'graphile-worker'
import { noticeOf } from './notices.ts'

/** Pauses between retries, in milliseconds; the last one repeats. */
const PAUSES = [250, 500, 1000, 2000, 5000] as const
/** An outage that lasts longer is taken for a fault of this job, and the jobs behind it continue. */
const MAX_MILLISECONDS = 900_000

type Attempts = { payload: unknown; helpers: JobHelpers; schema: string; onError: (error: unknown) => void }

/** Adds a running job again with its original due time, so that it precedes those added after it. */
export const requeue = async ({ payload, helpers, schema }: Omit<Attempts, 'onError'>): Promise<void> => {
  const { job, getQueueName, addJob, query } = helpers
  const { run_at: runAt, max_attempts: maxAttempts, priority, key } = job
  const queueName = await getQueueName()
  await addJob(job.task_identifier, payload, { runAt, maxAttempts, priority, ...(queueName && { queueName }), ...(key && { jobKey: key }) })
  await query(`select ${noticeOf(schema, job.task_identifier)}`)
}

/**
 * Runs a job that must not be overtaken in its queue. graphile-worker postpones a failed job and takes the next of its queue; so a job that
 * meets an outage keeps its queue locked until the outage is over, and is requeued in its place when the process stops meanwhile. `onError`
 * gets the error of each attempt but the last. @throws the error of a job that fails without an outage
 */
export const runInOrder = async (run: () => Promise<void>, given: Attempts): Promise<void> => {
  const { onError } = given
  const { abortSignal } = given.helpers
  const end = performance.now() + MAX_MILLISECONDS
  for (let attempt = 0; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (asFailure(error).kind !== 'unavailable' || performance.now() > end) throw error
      onError(error)
    }
    await sleep(PAUSES[attempt] ?? PAUSES.at(-1)!, abortSignal)
    if (abortSignal?.aborted) return requeue(given)
  }
}
