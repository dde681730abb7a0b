/** The first `max` UTF-16 units of a text, well-formed: a database refuses JSON with half of a surrogate pair, which the cut may leave. */
export const cut = (text: string, max: number): string => text.slice(0, max).toWellFormed()
