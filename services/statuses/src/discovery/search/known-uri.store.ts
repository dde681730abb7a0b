import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** The remote account or status with a uri. */
export const readKnown = prepared(
  'search.known-uri',
  ({ uri }: { uri: string }) => sql<{ accountId: string | null; statusId: string | null }>`
    select (select id from account where uri = ${uri} and uri is not null and closed_at is null) account_id,
      (select id from status where uri = ${uri} and uri is not null) status_id`,
)
