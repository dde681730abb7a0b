import { scanHashtag } from './hashtags.ts'
import { scanMention } from './mentions.ts'
import type { Scanned, Token } from './token.ts'
import { scanUrl } from './urls.ts'

/** Characters at which a token may begin. */
const BEGINNING = /[@#＃]|https?:\/\//gi

const scanAt = (text: string, at: number): Scanned => {
  const first = text[at]
  if (first === '@') return scanMention(text, at)
  return first === '#' || first === '＃' ? scanHashtag(text, at) : scanUrl(text, at)
}

/**
 * Splits text into plain text, http(s) URLs, mentions and hashtags, in order and without gaps; the token that begins first wins, so a URL
 * keeps its `@` and `#` (beyond-the-spec 1.9). Linear time: no character is scanned more than a few times, whatever the text.
 */
export const tokenize = (text: string): Token[] => {
  const tokens: Token[] = []
  const beginning = new RegExp(BEGINNING)
  let plainFrom = 0
  for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
    const scanned = scanAt(text, found.index)
    if ('end' in scanned) {
      beginning.lastIndex = scanned.end
      continue
    }
    const { token } = scanned
    if (token.start > plainFrom) tokens.push({ kind: 'text', start: plainFrom, end: token.start })
    tokens.push(token)
    plainFrom = token.end
    beginning.lastIndex = token.end
  }
  if (plainFrom < text.length) tokens.push({ kind: 'text', start: plainFrom, end: text.length })
  return tokens
}
