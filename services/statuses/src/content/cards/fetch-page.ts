import { createHash } from 'node:crypto'
import type { Tx } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { StatusesTables } from '../../database/schema.ts'
import type { AskedPage } from './card.store.ts'

/** The name of the job that fetches a page. */
export const FETCH_CARD = 'fetch-card'

/** The page, and the round of fetching it. */
export type FetchCard = { digest: string; round: number }

/** Attempts of a job that fails by an error of ours; failures of remote servers are counted with the page. */
const MAX_TRIES = 3

/** Maximum concurrent fetches. All pages of a host share a queue, so that a slow host delays mostly itself. */
const QUEUES = 16

const queueOf = (url: string) => `cards-${createHash('sha256').update(new URL(url).host).digest().readUInt8() % QUEUES}`

/** Adds the job that fetches a page: at most one pending job per page. */
export const fetchPage = (tx: Tx<StatusesTables>, { digest, url, round }: AskedPage, runAt?: Date): Promise<void> =>
  addJob(tx, 'statuses', FETCH_CARD, { digest, round } satisfies FetchCard, {
    key: `card:${digest}`,
    queue: queueOf(url),
    attempts: MAX_TRIES,
    ...(runAt ? { runAt } : {}),
  })
