/** A day, in milliseconds. */
export const DAY = 86_400_000

/** The days in the history of a block, including today. */
export const HISTORY_DAYS = 7
