import { type RawBuilder, sql } from 'kysely'

type Part = string | RawBuilder<unknown>

const partOf = (given: Part): RawBuilder<unknown> => (typeof given === 'string' ? sql.raw(given) : given)

/** The day of an id, in days since 1970: the time is in the bits above the lowest 16 (packages/ids). */
export const dayOfId = (id: Part): RawBuilder<unknown> => sql`((${partOf(id)} >> 16) / 86400000)::int`

/** The lowest possible id of a day, in days since 1970. */
export const firstIdOn = (day: Part): RawBuilder<unknown> => sql`((${partOf(day)})::bigint * 86400000) << 16`
