import type { Order } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'

type Part = RawBuilder<unknown>

/** A part of what some sources hold: ids below one and above another, so many of them. */
type Window = { below: Part; above: Part; size: Part }

/** A source of statuses by id: rows with `key`, and where its statuses stand in order of their ids. */
export type Source = { rows: Part; from: Part; key: Part; id: Part }

/** People who post. */
export const authors = (rows: Part): Source => ({ rows, from: sql.raw('status_head'), key: sql.raw('author_id'), id: sql.raw('id') })

/** Tags that statuses carry. */
export const tags = (rows: Part): Source => ({ rows, from: sql.raw('status_tag'), key: sql.raw('name'), id: sql.raw('status_id') })

/**
 * The ids of the newest statuses (the oldest, ascending) of many sources together, without reading all that each of them holds. The first
 * few of each source say where the part ends at the latest; then each is read as far as there. Someone who follows thousands costs two
 * look-ups in an index a source.
 */
export const windowOf = (sources: readonly Source[], { below, above, size }: Window, order: Order): Part => {
  const nameOf = (index: number) => sql.raw(`source_${index}`)
  const [beyond, start] = order === 'desc' ? [sql.raw('>='), above] : [sql.raw('<='), below]
  const direction = sql.raw(order)
  const counted = sql.join(
    sources.map((_, index) => sql`(select count(*) from ${nameOf(index)})`),
    sql` + `,
  )
  const read = (limit: Part, upTo: (id: Part) => Part) =>
    sql.join(
      sources.map(
        ({ from, key, id }, index) => sql`select t.id from ${nameOf(index)} source, lateral (
          select ${id} id from ${from} where ${key} = source.key and ${id} < ${below}::bigint and ${id} > ${above}::bigint ${upTo(id)}
          order by ${id} ${direction} limit ${limit}) t`,
      ),
      sql` union `,
    )
  return sql`${sql.join(sources.map(({ rows }, index) => sql`${nameOf(index)} as materialized (${rows})`))},
  -- Twice the share of each, so that the first few hold enough where some sources hold little.
  share as materialized (select (${size}::int * 2) / greatest(1, ${counted}) + 1 size),
  edge as materialized (
    select coalesce((select id from (${read(sql`(select size from share)`, () => sql``)}) first
      order by id ${direction} offset ${size}::int - 1 limit 1), ${start}::bigint) id),
  part as materialized (
    select id from (${read(sql`${size}::int`, (id) => sql`and ${id} ${beyond} (select id from edge)`)}) every
    order by id ${direction} limit ${size}::int)`
}
