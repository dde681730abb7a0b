/** Characters that turn the order of what stands around them, within a line (UAX #9, 2). */
const COMMANDS = /[\u202a-\u202e\u2066-\u2069]/gu

/** A name that others chose, without what would turn the order of the words around it. Hebrew and Arabic need no such commands. */
export const inReadingOrder = (name: string): string => name.replace(COMMANDS, '')
