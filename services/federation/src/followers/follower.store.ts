import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** Where followers are: the ids of their actors, and the hosts of those. */
export const readPlaces = prepared(
  'followers.places',
  ({ accountIds }: { accountIds: readonly string[] }) => sql<{ uri: string; domain: string }>`
    select uri, domain from remote_actor where account_id = any(${accountIds}::bigint[])`,
)
