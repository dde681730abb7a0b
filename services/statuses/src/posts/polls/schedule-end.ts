import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import { PollWriter } from './poll.store.ts'

/** The name of the job that ends a poll. */
export const CLOSE_POLL = 'close-poll'

/** The name of the job that sends the counts of a poll to other servers. */
export const ANNOUNCE_COUNT = 'announce-poll-count'

const MINUTE = 60_000
/** How long votes are collected for other servers, in milliseconds. */
const GATHERING = 3 * MINUTE

/** Adds the job that sends votes to other servers, at most one per poll: later votes do not postpone it. */
export const scheduleCount = (tx: Tx<StatusesTables>, statusId: string, now: number): Promise<void> =>
  addJob(tx, 'statuses', ANNOUNCE_COUNT, { statusId }, { runAt: new Date(now + GATHERING), key: `poll-count:${statusId}`, keepsTime: true })

/** Sets the job that ends a poll to its present end, at most one per poll. Does nothing for one that does not end, or has been closed. */
export const scheduleEnd = async (tx: Tx<StatusesTables>, statusId: string): Promise<void> => {
  const endsAt = await new PollWriter(tx).holdEnd(statusId)
  if (endsAt) await addJob(tx, 'statuses', CLOSE_POLL, { statusId }, { runAt: endsAt, key: `poll:${statusId}` })
}
