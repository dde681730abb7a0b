import { createHash } from 'node:crypto'
import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import type { AskedPage } from './card.store.ts'

/** The job that asks for a page. */
export const FETCH_CARD = 'fetch-card'

/** Which page, and which time of asking it this is. */
export type FetchCard = { digest: string; round: number }

/** Tries of a job that fails by an error of ours; what others fail at is counted with the page. */
const MAX_TRIES = 3

/** Pages that are asked for at once, at most; those of one host never are, so that a slow one holds up itself before others. */
const QUEUES = 16

const queueOf = (url: string) => `cards-${createHash('sha256').update(new URL(url).host).digest().readUInt8() % QUEUES}`

/** Adds the job that fetches a page: at most one waiting job a page. */
export const fetchPage = (tx: Tx<StatusesTables>, { digest, url, round }: AskedPage, runAt?: Date): Promise<void> =>
  addJob(tx, 'statuses', FETCH_CARD, { digest, round } satisfies FetchCard, {
    key: `card:${digest}`,
    queue: queueOf(url),
    attempts: MAX_TRIES,
    ...(runAt ? { runAt } : {}),
  })
