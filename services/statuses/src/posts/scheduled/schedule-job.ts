import type { Tx } from '@rookery/database'
import { addJob, removeJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'

/** The job that a scheduled status's time is. */
export const PUBLISH_SCHEDULED = 'publish-scheduled-status'

/** Which one, and the time it was set for (milliseconds since 1970): one that was moved meanwhile has another job. */
export type PublishScheduled = { id: string; at: number }

const keyOf = (id: string) => `scheduled:${id}`

/** Adds or moves the job of a scheduled status: at most one each; a draft has none. */
export const setTime = (tx: Tx<StatusesTables>, id: string, at: Date | null): Promise<void> => {
  if (!at) return removeJob(tx, 'statuses', keyOf(id))
  const payload: PublishScheduled = { id, at: at.getTime() }
  return addJob(tx, 'statuses', PUBLISH_SCHEDULED, payload, { runAt: at, key: keyOf(id) })
}
