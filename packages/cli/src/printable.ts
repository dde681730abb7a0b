/** What a terminal obeys or hides instead of showing it: control characters but the tab, and marks that turn the direction of text. */
const COMMANDS = /(?!\t)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

const escaped = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A line that a terminal shows as it is, regardless of what users wrote in it. */
export const printable = (line: string): string => line.replace(COMMANDS, escaped)

/** The same as JSON, from which a script reads what was there. */
export const printableJson = (value: unknown): string => printable(JSON.stringify(value))

/** A text as one line of a terminal, without what would steer it. */
export const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim()
