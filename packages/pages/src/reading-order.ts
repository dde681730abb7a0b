/** Bidirectional control characters, which change the order of the text around them (UAX #9, 2). */
const COMMANDS = /[\u202a-\u202e\u2066-\u2069]/gu

/** A name chosen by others, without bidirectional control characters. Hebrew and Arabic need none. */
export const inReadingOrder = (name: string): string => name.replace(COMMANDS, '')
