import { type Database, transact } from '@rookery/database'
import { addJob } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { localName } from '../vocabulary/index.ts'
import { claimThread } from './thread.store.ts'

/** The job that fetches the replies to a status. */
export const FETCH_THREAD = 'fetch-thread'

/** How long a fetched thread counts as fresh, in milliseconds. */
const EVERY = 15 * 60_000
const MAX_URI = 2048

/** Requests a fetch of the replies to a remote status, limited to a number of documents. */
export type RequestThread = (uri: string, options: { readonly fetches: number }) => Promise<void>

/** Schedules the fetch, at most once in fifteen minutes per status; does nothing for local statuses, whose replies are delivered here. */
export const requestThread =
  ({ baseUrl, database, clock }: { baseUrl: string; database: Database<FederationTables>; clock: Clock }): RequestThread =>
  async (uri, { fetches }) => {
    if (uri === '' || uri.length > MAX_URI || localName(baseUrl, uri)) return
    const now = clock.now()
    await transact(database.db, async (tx) => {
      if (!(await claimThread(tx, { uri, now: new Date(now), before: new Date(now - EVERY) }))) return
      await addJob(tx, 'federation', FETCH_THREAD, { uri, fetches }, { key: `${FETCH_THREAD}:${uri}` })
    })
  }
