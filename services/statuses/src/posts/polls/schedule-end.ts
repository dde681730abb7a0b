import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'

/** The job that a poll's end is. */
export const CLOSE_POLL = 'close-poll'

/** Adds the job that ends a poll: at most one a poll, the latest time counts. */
export const scheduleEnd = (tx: Tx<StatusesTables>, statusId: string, expiresAt: number): Promise<void> =>
  addJob(tx, 'statuses', CLOSE_POLL, { statusId }, { runAt: new Date(expiresAt), key: `poll:${statusId}` })
