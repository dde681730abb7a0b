/** Characters that a terminal interprets or hides: control characters except the tab, and bidirectional controls. */
const COMMANDS = /(?!\t)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

const escaped = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters, so that user content cannot control the terminal. */
export const printable = (line: string): string => line.replace(COMMANDS, escaped)

/** The same for JSON, which parses to the original value. */
export const printableJson = (value: unknown): string => printable(JSON.stringify(value))

/** A text as a single line, without control characters. */
export const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim()
