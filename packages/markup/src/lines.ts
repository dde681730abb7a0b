/** Normalises line ends to line feeds. */
export const normaliseLines = (text: string): string => text.replace(/\r\n?/g, '\n')
