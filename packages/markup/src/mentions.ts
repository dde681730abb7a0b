import type { Scanned } from './token.ts'

const USERNAME = '[a-zA-Z0-9_]+(?:[.-][a-zA-Z0-9_]+)*'
const LABEL = '[\\p{L}\\p{M}\\p{Nd}_]+'
// A port is part of the domain of a server on one's own machine.
const DOMAIN = `${LABEL}(?:[.-]+${LABEL})*(?::\\d{4,5}(?!\\d))?`

/** beyond-the-spec 1.9, Mentions: not preceded by a word character, `=` or `/`. */
const MENTION = new RegExp(`(?<![\\p{L}\\p{M}\\p{Nd}\\p{Pc}=/])@(${USERNAME})(?:@(${DOMAIN}))?`, 'uy')

/** The maximum length of a domain (RFC 1035, 2.3.4), and a port. */
const LONGEST_DOMAIN = 253 + 6

/** Scans a mention whose `@` is at a position. */
export const scanMention = (text: string, at: number): Scanned => {
  MENTION.lastIndex = at
  const match = MENTION.exec(text)
  if (!match) return { end: at + 1 }
  const [whole, username = '', domain] = match
  const end = at + whole.length
  // The domain does not count against the limit of characters, so an unlimited one would allow text of any length.
  if (domain !== undefined && domain.length > LONGEST_DOMAIN) return { end }
  return { token: { kind: 'mention', start: at, end, username, ...(domain === undefined ? {} : { domain }) } }
}
