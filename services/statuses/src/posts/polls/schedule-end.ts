import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'

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

/** Adds the job that ends a poll, at most one per poll: a later call replaces its time. */
export const scheduleEnd = (tx: Tx<StatusesTables>, statusId: string, expiresAt: number): Promise<void> =>
  addJob(tx, 'statuses', CLOSE_POLL, { statusId }, { runAt: new Date(expiresAt), key: `poll:${statusId}` })
