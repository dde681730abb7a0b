import { inBothOrders, type Order, prepared, type Source } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { atHome, pulledAuthorsOf, type Way } from './feed-rule.store.ts'
import { type Found, gather, type SeenEntries, type WantedPart } from './gather.ts'
import type { Look, Seen } from './look.rules.ts'
import { authors, tags, type Source as WindowSource, windowOf } from './window.store.ts'

/** The requested part of a home, at a time. */
export type Wanted = WantedPart & { now: Date }

type Values = Look & { accountId: string; now: Date }

type Row = Seen & { ids: string[]; reblogOfIds: (string | null)[] }

/** The sources of candidates for a home: pulled statuses come from few authors. */
const sourcesOf = (accountId: string, way: Way): WindowSource[] => {
  if (way === 'pulled') return [authors(pulledAuthorsOf(sql`${accountId}`))]
  return [
    authors(sql`select ${accountId}::bigint key union all select target_id from follow where account_id = ${accountId}`),
    tags(sql`select name key from tag_follow where account_id = ${accountId}`),
  ]
}

/** The last id of a CTE, in its order. */
export const lastOf = (named: string, order: Order): RawBuilder<unknown> =>
  sql`(select ${sql.raw(order === 'desc' ? 'min' : 'max')}(id) from ${sql.raw(named)})`

/** CTEs: `part`, the first `size` candidates for a home; and `found`, the first `count` of these that belong there. */
export const foundAtHome = ({ accountId, below, above, guess, size, count, now }: Values, way: Way, order: Order): RawBuilder<unknown> => {
  const bounds = { below: sql`${below}`, above: sql`${above}`, guess: sql`${guess}`, size: sql`${size}` }
  const reader = { reader: sql`${accountId}`, now: sql`${now}`, order, limit: sql`${count}::int` }
  return sql`${windowOf(sourcesOf(accountId, way), bounds, order)}, found as materialized (${atHome(reader, way)})`
}

const statementOf = (way: Way) => (order: Order) =>
  prepared(
    `timelines.belonging-${way}-${order}`,
    (given: Values) => sql<Row>`with ${foundAtHome(given, way, order)}
      select array(select id from found) ids, array(select reblog_of_id from found) reblog_of_ids,
        (select count(*)::int from part) looked, ${lastOf('part', order)} looked_to`,
  )

const STATEMENTS = {
  written: inBothOrders(statementOf('written')),
  pulled: inBothOrders(statementOf('pulled')),
  either: inBothOrders(statementOf('either')),
}

/** One scan for entries of a home, written, pulled or both: computed from the statuses, not from the stored feed. */
export const lookThrough = async (
  source: Source,
  { way, order, ...reader }: { accountId: string; now: Date; way: Way; order: Order },
  look: Look,
): Promise<SeenEntries> => {
  const { ids, reblogOfIds, ...seen } = (await STATEMENTS[way][order](source, { ...reader, ...look }))[0]!
  return { ...seen, entries: ids.map((statusId, index) => ({ statusId, reblogOfId: reblogOfIds[index] ?? null })) }
}

/** As many entries of a home as wanted, or all, by `lookThrough`: usually one statement. */
export const readBelonging = (source: Source, accountId: string, { now, ...wanted }: Wanted, way: Way): Promise<Found> =>
  gather(wanted, (look) => lookThrough(source, { accountId, now, way, order: wanted.order }, look))
