import { type RawBuilder, sql } from 'kysely'

type Part = string | RawBuilder<unknown>

const partOf = (given: Part): RawBuilder<unknown> => (typeof given === 'string' ? sql.raw(given) : given)

/** The day of an id, in days since 1970: its time stands above its lowest 16 bits (packages/ids). */
export const dayOfId = (id: Part): RawBuilder<unknown> => sql`((${partOf(id)} >> 16) / 86400000)::int`

/** The lowest id that a day, in days since 1970, may have. */
export const firstIdOn = (day: Part): RawBuilder<unknown> => sql`((${partOf(day)})::bigint * 86400000) << 16`
