/** The UTC day of a time in milliseconds since 1970, as YYYY-MM-DD. */
export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** Whether a text is an existing day as YYYY-MM-DD; `Date` would read February 30 as a day of March. */
export const isCalendarDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
