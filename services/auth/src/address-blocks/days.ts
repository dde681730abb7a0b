/** A day, in milliseconds. */
export const DAY = 86_400_000

/** How many days of uses a block shows, today included. */
export const HISTORY_DAYS = 7
