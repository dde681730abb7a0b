/** The day of a moment in milliseconds since 1970, in UTC, as YYYY-MM-DD. */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** Whether a text is a day of the calendar as YYYY-MM-DD; `Date` would take February 30 for a day of March. */
export const isCalendarDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
