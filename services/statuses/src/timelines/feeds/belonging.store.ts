import { inBothOrders, type Order, prepared, type Source } from '@rookery/database'
import { sql } from 'kysely'
import type { Entry } from './feed.rules.ts'
import { belonging, placed, pulledAuthorsOf, type Way } from './feed-rule.store.ts'
import { authors, tags, type Source as WindowSource, windowOf } from './window.store.ts'

/** What of a home is wanted: below one status and above another, from the top or (asc) from the bottom, at least so many. */
export type Wanted = { below: string; above: string; count: number; order: Order; now: Date }

type Values = { accountId: string; below: string; above: string; size: number; now: Date }

type Row = { id: string; belongs: boolean; reblogOfId: string | null }

const EVERYONE = sql`2147483647`

/** Whose statuses, and statuses with which tags, may belong in a home: what is pulled comes from few authors. */
const sourcesOf = (accountId: string, way: Way): WindowSource[] => {
  if (way === 'pulled') return [authors(pulledAuthorsOf(sql`${accountId}`))]
  return [
    authors(sql`select ${accountId}::bigint key union select target_id from follow where account_id = ${accountId}`),
    tags(sql`select name key from tag_follow where account_id = ${accountId}`),
  ]
}

const statementOf = (way: Way) => (order: Order) =>
  prepared(`timelines.belonging-${way}-${order}`, ({ accountId, below, above, size, now }: Values) => {
    const reader = { one: sql`${accountId}`, now: sql`${now}` }
    const sources = sourcesOf(accountId, way)
    return sql<Row>`
      with ${windowOf(sources, { below: sql`${below}`, above: sql`${above}`, size: sql`${size}` }, order)},
      ${placed(sql`select id from part`)},
      ${belonging(reader, EVERYONE, way)}
      select part.id, b.id is not null belongs, b.reblog_of_id
      from part left join (select distinct id, reblog_of_id from belonging) b on b.id = part.id order by part.id ${sql.raw(order)}`
  })

const STATEMENTS = {
  written: inBothOrders(statementOf('written')),
  pulled: inBothOrders(statementOf('pulled')),
  either: inBothOrders(statementOf('either')),
}

/** Entries in the order asked for, and whether there are no more of them. */
export type Found = { entries: Entry[]; isAll: boolean }

/** Statuses looked at for so many that are wanted: some are replies to strangers and the like. */
const looksAt = (count: number) => count + Math.min(count + 20, 100)
const MAX_AT_ONCE = 5000

/**
 * What belongs in someone's home, written there or pulled or either, found by the statuses themselves and not by what is stored: at least as many as wanted, in the order
 * asked for, or all there are. One statement, and another for each time that too little of what was looked at belongs.
 */
export const readBelonging = async (
  source: Source,
  accountId: string,
  { below, above, count, order, now }: Wanted,
  way: Way,
): Promise<Found> => {
  const entries: Entry[] = []
  let bounds = { below, above }
  for (let size = Math.min(looksAt(count), MAX_AT_ONCE); ; size = Math.min(size * 2, MAX_AT_ONCE)) {
    const rows = await STATEMENTS[way][order](source, { accountId, ...bounds, size, now })
    entries.push(...rows.filter(({ belongs }) => belongs).map(({ id, reblogOfId }) => ({ statusId: id, reblogOfId })))
    const last = rows.at(-1)
    if (rows.length < size || !last) return { entries, isAll: true }
    if (entries.length >= count) return { entries, isAll: false }
    bounds = order === 'desc' ? { ...bounds, below: last.id } : { ...bounds, above: last.id }
  }
}
