import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** The actor uris and hosts of followers. */
export const readPlaces = prepared(
  'followers.places',
  ({ accountIds }: { accountIds: readonly string[] }) => sql<{ uri: string; domain: string }>`
    select uri, domain from remote_actor where account_id = any(${accountIds}::bigint[])`,
)
