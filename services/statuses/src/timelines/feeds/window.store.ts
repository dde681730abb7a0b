import { MAX_ID, type Order } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'

type Part = RawBuilder<unknown>

/** The candidates of a scan: ids below one and above another, `size` of them; `guess` is the id where they are expected to end. */
type Window = { below: Part; above: Part; guess: Part; size: Part }

/**
 * A kind of source of statuses: rows with `key`, and the table with the statuses of each key in order of their ids. All keys are read `together` in
 * one index scan, unless the planner might choose another index for that.
 */
export type Source = { rows: Part; from: Part; key: Part; id: Part; together: boolean }

/** Authors of statuses. */
export const authors = (rows: Part): Source => ({
  rows,
  from: sql.raw('status_head'),
  key: sql.raw('author_id'),
  id: sql.raw('id'),
  together: true,
})

/** Tags of statuses. */
export const tags = (rows: Part): Source => ({
  rows,
  from: sql.raw('status_tag'),
  key: sql.raw('name'),
  id: sql.raw('status_id'),
  together: false,
})

/**
 * The ids of the newest statuses (ascending: the oldest) of many sources, without reading all of each source. If enough are before `guess`, and not
 * many times more, those are the result. Otherwise the first few of each source bound the end, and sources whose first few are all before that bound
 * are read on to it. For an account that follows thousands this costs little more than an index look-up per source. A `guess` equal to the bound
 * where the scan begins means no guess.
 */
export const windowOf = (sources: readonly Source[], { below, above, guess, size }: Window, order: Order): Part => {
  const named = (name: string, index: number) => sql.raw(`${name}_${index}`)
  const isDown = order === 'desc'
  const [before, direction] = [sql.raw(isDown ? '>' : '<'), sql.raw(order)]
  const counted = sql.join(
    sources.map((_, index) => sql`(select count(*) from ${named('source', index)})`),
    sql` + `,
  )
  const most = sql`${size}::int * 4`
  const isBetween = (id: Part) => sql`${id} < ${below}::bigint and ${id} > ${above}::bigint`
  const [isBefore, isGuess, isAsFarAsAll] = isDown
    ? [sql`>= ${guess}::bigint`, sql`${guess}::bigint < ${below}::bigint`, sql`${guess}::bigint <= ${above}::bigint`]
    : [sql`<= ${guess}::bigint`, sql`${guess}::bigint > ${above}::bigint`, sql`${guess}::bigint >= ${below}::bigint`]
  const near = ({ from, key, id, together }: Source, index: number) => {
    const keys = sql`select key from ${named('source', index)} where ${isGuess}`
    const within = (isOf: Part) =>
      sql`select ${id} id from ${from} where ${key} = ${isOf} and ${isBetween(id)} and ${id} ${isBefore} limit ${most}`
    return together
      ? sql`(${within(sql`any(array(${keys}))`)})`
      : sql`(select unnest(array(${within(sql`source.key`)})) id from (${keys}) source limit ${most})`
  }
  const first = ({ from, key, id }: Source, index: number) => sql`${named('first', index)} as materialized (
    select source.key, array(select ${id} from ${from} where ${key} = source.key and ${isBetween(id)}
      order by ${id} ${direction} limit (select size from share)) ids
    from ${named('source', index)} source where not (select is_right from guessed))`
  const firstIds = (index: number) => sql`select unnest(ids) id from ${named('first', index)}`
  const rest = ({ from, key, id }: Source, index: number) => {
    const last = sql`source.ids[(select size from share)]`
    const between = isDown
      ? sql`${id} < ${last} and ${id} >= (select id from edge)`
      : sql`${id} > ${last} and ${id} <= (select id from edge)`
    return sql`select t.id from ${named('first', index)} source, lateral (
      select ${id} id from ${from} where ${key} = source.key and ${between} order by ${id} ${direction} limit ${size}::int) t
      where ${last} ${before} (select id from edge)`
  }
  const all = (parts: readonly Part[]) => sql.join(parts, sources.length > 1 ? sql` union ` : sql` union all `)
  return sql`${sql.join(sources.map(({ rows }, index) => sql`${named('source', index)} as materialized (${rows})`))},
  near as materialized (${all(sources.map(near))}),
  guessed as materialized (select count(*) < ${most} and (count(*) >= ${size}::int or ${isAsFarAsAll}) is_right from near),
  -- Twice the share of each source, so that the first few are enough even if some sources have little.
  share as materialized (select least(${size}::int, (${size}::int * 2) / greatest(1, ${counted}) + 1) size),
  ${sql.join(sources.map(first))},
  head as materialized (
    select id from (${all([sql`select id from near where (select is_right from guessed)`, ...sources.map((_, index) => firstIds(index))])}) every order by id ${direction} limit ${size}::int),
  edge as materialized (
    select coalesce((select id from head offset ${size}::int - 1), ${isDown ? sql`least(${above}::bigint, ${sql.raw(MAX_ID)} - 1) + 1` : sql`${below}::bigint - 1`}) id),
  part as materialized (
    select id from (${all([sql`select id from head`, ...sources.map(rest)])}) every order by id ${direction} limit ${size}::int)`
}
