/** A day, in milliseconds. */
export const DAY = 86_400_000

/** How many days of uses a block shows, today included. */
export const HISTORY_DAYS = 7

/** The UTC date of a moment in milliseconds since 1970, as Postgres writes dates. */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)
