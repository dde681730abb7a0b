/** Text whose lines all end in a line feed, regardless of the system it was typed on. */
export const normaliseLines = (text: string): string => text.replace(/\r\n?/g, '\n')
