/** A text as a pattern of `like` that matches it alone. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
