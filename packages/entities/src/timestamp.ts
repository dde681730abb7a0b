/** A time in the API's format: ISO 8601 in UTC with three fraction digits (beyond-the-spec 0.3). */
export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** Midnight of a time's day in the same format, as for an account's created_at. */
export const midnight = (milliseconds: number): string => `${timestamp(milliseconds).slice(0, 10)}T00:00:00.000Z`

/** A time without fractions of a second, as of a privacy policy (beyond-the-spec 0.3). */
export const wholeSecond = (milliseconds: number): string => timestamp(milliseconds).replace(/\.\d+/, '')
