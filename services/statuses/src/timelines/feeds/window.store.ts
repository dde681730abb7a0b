/** A part of what some sources hold: ids below one and above another, so many of them. Each is a parameter's place. */
export type Bounds = { below: string; above: string; size: string }

/** A source of statuses by id: rows with `key`, and where its statuses stand in order of their ids. */
export type Source = { rows: string; of: (key: string) => { from: string; where: string; id: string } }

/** People who post. */
export const authors = (rows: string): Source => ({
  rows,
  of: (key) => ({ from: 'status_head', where: `author_id = ${key}`, id: 'id' }),
})

/** Tags that statuses carry. */
export const tags = (rows: string): Source => ({
  rows,
  of: (key) => ({ from: 'status_tag', where: `name = ${key}`, id: 'status_id' }),
})

/**
 * The ids of the newest statuses (the oldest, ascending) of many sources together, without reading all that each of them holds. The first
 * few of each source say where the part ends at the latest; then each is read as far as there. Somebody who follows thousands costs two
 * look-ups in an index a source.
 */
export const windowOf = (sources: readonly Source[], { below, above, size }: Bounds, order: 'asc' | 'desc'): string => {
  const [beyond, start] = order === 'desc' ? ['>=', above] : ['<=', below]
  const read = (limit: string, edge: string) =>
    sources
      .map((source, index) => {
        const { from, where, id } = source.of('source.key')
        return `select t.id from source_${index} source, lateral (
          select ${id} id from ${from} where ${where} and ${id} < ${below}::bigint and ${id} > ${above}::bigint ${edge.replaceAll('ID', id)}
          order by ${id} ${order} limit ${limit}) t`
      })
      .join(' union ')
  return `
  ${sources.map(({ rows }, index) => `source_${index} as materialized (${rows})`).join(', ')},
  edge as materialized (
    select coalesce((select id from (${read(`(${size}::int + 99) / 100`, '')}) first order by id ${order} offset ${size}::int - 1 limit 1),
      ${start}::bigint) id),
  part as materialized (
    select id from (${read(`${size}::int`, `and ID ${beyond} (select id from edge)`)}) every order by id ${order} limit ${size}::int)`
}
