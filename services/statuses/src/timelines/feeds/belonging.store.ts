import { runText } from '@rookery/database'
import type { Kysely } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import type { Entry } from './feed.rules.ts'
import { belonging, placed } from './feed-rule.store.ts'
import { authors, tags, windowOf } from './window.store.ts'

/** What of a home is wanted: below one status and above another, from the top or (asc) from the bottom, at least so many. */
export type Wanted = { below: string; above: string; count: number; order: 'asc' | 'desc'; now: Date }

/** $1 reader, $2 below, $3 above, $4 statuses looked at, $5 now. */
const statementOf = (order: 'asc' | 'desc') => `
  with ${windowOf(
    [
      authors('select $1::bigint key union select target_id from follow where account_id = $1'),
      tags('select name key from tag_follow where account_id = $1'),
    ],
    { below: '$2', above: '$3', size: '$4' },
    order,
  )},
  ${placed('select id from part')},
  ${belonging({ after: '($1::bigint - 1)', upTo: '$1', now: '$5' }, '2147483647')}
  select part.id, b.id is not null belongs, b.reblog_of_id
  from part left join (select distinct id, reblog_of_id from belonging) b on b.id = part.id order by part.id ${order}`

const STATEMENTS = { asc: statementOf('asc'), desc: statementOf('desc') }

/** Statuses looked at beyond those wanted: about so many are replies to strangers and the like. */
const MORE = 100
const MOST_AT_ONCE = 5000

/**
 * What belongs in somebody's home, found by the statuses themselves and not by what is stored: at least as many as wanted, in the order
 * asked for, or all there are. One statement, and another for each time that too little of what was looked at belongs.
 */
export const readBelonging = async (
  db: Kysely<StatusesTables>,
  accountId: string,
  { below, above, count, order, now }: Wanted,
): Promise<{ entries: Entry[]; isAll: boolean }> => {
  const entries: Entry[] = []
  let bounds = { below, above }
  for (let size = Math.min(count + MORE, MOST_AT_ONCE); ; size = Math.min(size * 2, MOST_AT_ONCE)) {
    const values = [accountId, bounds.below, bounds.above, size, now]
    const rows = await runText<{ id: string; belongs: boolean; reblogOfId: string | null }, StatusesTables>(db, STATEMENTS[order], values)
    for (const row of rows) if (row.belongs) entries.push({ statusId: row.id, reblogOfId: row.reblogOfId })
    const last = rows.at(-1)
    if (rows.length < size || !last) return { entries, isAll: true }
    if (entries.length >= count) return { entries, isAll: false }
    bounds = order === 'desc' ? { ...bounds, below: last.id } : { ...bounds, above: last.id }
  }
}
