import { type Database, statement } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'

/**
 * $1 viewer, $2 pattern, $3 the whole handle, $4 followed only, $5 limit, $6 offset. The expression repeats that of the index. The exact
 * handle comes first, then whom the viewer follows, then handles that begin so. Who is silenced is
 * found by those who follow them and by the exact handle. Whoever blocks the viewer is not found, and whom the viewer
 * blocks by the exact handle only, so that the block can be ended.
 */
const find = statement<[id: string]>(
  'search.accounts',
  `select a.id from account a
   cross join lateral (select exists (select 1 from follow where account_id = $1 and target_id = a.id) is_followed) relation
   where (' ' || lower(a.username) || ' ' || lower(a.display_name)) like lower($2::text) and a.is_active and not a.is_suspended
     and (not a.is_silenced or relation.is_followed or lower(a.username) = lower($3::text))
     and ($4::boolean is false or relation.is_followed)
     and a.id not in (select account_id from block where target_id = $1)
     and (lower(a.username) = lower($3::text) or a.id not in (select target_id from block where account_id = $1))
   order by lower(a.username) = lower($3::text) desc, relation.is_followed desc, starts_with(lower(a.username), lower($3::text)) desc,
     a.followers_count desc, a.id
   limit $5 offset $6`,
)

/** Letters from which on names are searched within words as well: shorter ones would be found everywhere. */
const LEAST_WITHIN = 3

const literal = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** Accounts whose handle or name holds the text, or has a word that begins with it when it is short. Ids, best first. */
export const findAccountIds = async (
  database: Database<StatusesTables>,
  wanted: { viewerId: string; text: string; following: boolean; limit: number; offset: number },
): Promise<string[]> => {
  const { text } = wanted
  const pattern = [...text].length < LEAST_WITHIN ? `% ${literal(text)}%` : `%${literal(text)}%`
  const rows = await find(database, [wanted.viewerId || '0', pattern, text, wanted.following, wanted.limit, wanted.offset])
  return rows.map(([id]) => id)
}
