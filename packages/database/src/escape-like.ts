/** Escapes a text for `like`, so that the pattern matches only that text. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
