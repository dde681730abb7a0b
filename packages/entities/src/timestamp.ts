/** A moment as the API writes it: ISO 8601 in UTC with three fraction digits (beyond-the-spec 0.3). */
export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The same moment at midnight of its day: how an account's created_at is written. */
export const midnight = (milliseconds: number): string => `${timestamp(milliseconds).slice(0, 10)}T00:00:00.000Z`
