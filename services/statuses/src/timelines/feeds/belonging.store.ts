import { inBothOrders, type Order, prepared, type Source } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import type { Entry } from './feed.rules.ts'
import { atHome, pulledAuthorsOf, type Way } from './feed-rule.store.ts'
import { firstLook, type Look, nextLook } from './look.rules.ts'
import { authors, tags, type Source as WindowSource, windowOf } from './window.store.ts'

/** What of a home is wanted: below one status and above another, from the top or (asc) from the bottom, so many. */
export type Wanted = { below: string; above: string; count: number; order: Order; now: Date }

type Values = Look & { accountId: string; now: Date }

/** What belongs of a part, how much was looked through, and as far as where; null where there was nothing. */
export type Seen = { entries: Entry[]; looked: number; lookedTo: string | null }

type Row = Omit<Seen, 'entries'> & { ids: string[]; reblogOfIds: (string | null)[] }

/** Whose statuses, and statuses with which tags, may belong in a home: what is pulled comes from few authors. */
const sourcesOf = (accountId: string, way: Way): WindowSource[] => {
  if (way === 'pulled') return [authors(pulledAuthorsOf(sql`${accountId}`))]
  return [
    authors(sql`select ${accountId}::bigint key union all select target_id from follow where account_id = ${accountId}`),
    tags(sql`select name key from tag_follow where account_id = ${accountId}`),
  ]
}

/** The last of the ids of a named query in its order. */
export const lastOf = (named: string, order: Order): RawBuilder<unknown> =>
  sql`(select ${sql.raw(order === 'desc' ? 'min' : 'max')}(id) from ${sql.raw(named)})`

/** Named queries: `part`, statuses that may belong in a home, so many; and `found`, what of them does, the first so many. */
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

/** Entries in the order asked for, and whether there are no more of them. */
export type Found = { entries: Entry[]; isAll: boolean }

/**
 * What belongs in a home of what is looked through, part by part: as many as wanted, in the order asked for, or all there are. One look, and another
 * for each time that too little of what was looked through belongs.
 */
export const gather = async (wanted: Omit<Wanted, 'now'>, seeIn: (look: Look) => Promise<Seen>): Promise<Found> => {
  const entries: Entry[] = []
  for (let look = firstLook(wanted); ; ) {
    const seen = await seeIn(look)
    entries.push(...seen.entries)
    if (entries.length >= wanted.count) return { entries, isAll: false }
    const next = nextLook(wanted.order, look, seen, wanted.count - entries.length)
    if (!next) return { entries, isAll: true }
    look = next
  }
}

/** What belongs in someone's home, written there or pulled or either, of a part: found by the statuses themselves and not by what is stored. */
export const lookThrough = async (
  source: Source,
  { way, order, ...reader }: { accountId: string; now: Date; way: Way; order: Order },
  look: Look,
): Promise<Seen> => {
  const { ids, reblogOfIds, ...seen } = (await STATEMENTS[way][order](source, { ...reader, ...look }))[0]!
  return { ...seen, entries: ids.map((statusId, index) => ({ statusId, reblogOfId: reblogOfIds[index] ?? null })) }
}

/** As many entries of someone's home as wanted, or all there are, as `lookThrough` finds them: one statement as a rule. */
export const readBelonging = (source: Source, accountId: string, { now, ...wanted }: Wanted, way: Way): Promise<Found> =>
  gather(wanted, (look) => lookThrough(source, { accountId, now, way, order: wanted.order }, look))
