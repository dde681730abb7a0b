import { prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { FederationTables } from '../database/schema.ts'

/** Records that the replies to a status are fetched now; false if they were fetched since `before`. */
export const claimThread = async (tx: Tx<FederationTables>, given: { uri: string; now: Date; before: Date }): Promise<boolean> => {
  const { rows } = await sql`
    insert into fetched_thread (uri, fetched_at) values (${given.uri}, ${given.now})
    on conflict (uri) do update set fetched_at = excluded.fetched_at where fetched_thread.fetched_at < ${given.before}
    returning uri`.execute(tx)
  return rows.length > 0
}

/** Deletes up to 1000 records of fetches from before a time. */
export const pruneThreads = prepared(
  'threads.prune',
  ({ before }: { before: Date }) => sql<{ uri: string }>`
    delete from fetched_thread where uri in (select uri from fetched_thread where fetched_at < ${before} order by fetched_at limit 1000)
    returning uri`,
)
