import { statement } from '@rookery/database'

/** Active accounts by lower-case username. */
export const readMentionable = statement<[id: string, username: string]>(
  'text.mentionable',
  'select id, username from account where is_active and not is_suspended and lower(username) = any($1::text[])',
)
