import type { Tx } from '@rookery/database'
import { addJob, removeJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'

/** The name of the job that publishes a scheduled status. */
export const PUBLISH_SCHEDULED = 'publish-scheduled-status'

/** The status and its scheduled time (milliseconds since 1970): a rescheduled one has another job. */
export type PublishScheduled = { id: string; at: number }

const keyOf = (id: string) => `scheduled:${id}`

/** Sets or moves the job of a scheduled status, at most one each; null removes it, for a draft. */
export const setTime = (tx: Tx<StatusesTables>, id: string, at: Date | null): Promise<void> => {
  if (!at) return removeJob(tx, 'statuses', keyOf(id))
  const payload: PublishScheduled = { id, at: at.getTime() }
  return addJob(tx, 'statuses', PUBLISH_SCHEDULED, payload, { runAt: at, key: keyOf(id) })
}
