import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** Active accounts by lower-case username. */
export const readMentionable = prepared(
  'text.mentionable',
  ({ usernames }: { usernames: readonly string[] }) => sql<{ id: string; username: string }>`
    select id, username from account where is_active and not is_suspended and lower(username) = any(${usernames}::text[])`,
)
