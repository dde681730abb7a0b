import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'

/** The job that a poll's end is. */
export const CLOSE_POLL = 'close-poll'

/** The job by which other servers learn of votes. */
export const ANNOUNCE_COUNT = 'announce-poll-count'

const MINUTE = 60_000
/** How long votes are gathered for other servers. */
const GATHERING = 3 * MINUTE

/** Has other servers learn of a vote, with those that come in the minutes after it. */
export const scheduleCount = (tx: Tx<StatusesTables>, statusId: string, now: number): Promise<void> =>
  addJob(tx, 'statuses', ANNOUNCE_COUNT, { statusId }, { runAt: new Date(now + GATHERING), key: `poll-count:${statusId}`, keepsTime: true })

/** Adds the job that ends a poll: at most one a poll, the latest time counts. */
export const scheduleEnd = (tx: Tx<StatusesTables>, statusId: string, expiresAt: number): Promise<void> =>
  addJob(tx, 'statuses', CLOSE_POLL, { statusId }, { runAt: new Date(expiresAt), key: `poll:${statusId}` })
