import { normaliseLines } from './lines.ts'
import { tokenize } from './tokens.ts'

/** A URL's share of the length, however long it is (LIMITS.statuses.charactersReservedPerUrl). */
const URL_PLACEHOLDER = 'x'.repeat(23)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Longer than any emoji, in code units. A longer cluster, made of combining marks, counts once per this many. */
const LONGEST_CLUSTER = 64

const countGraphemes = (text: string): number => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII, where every character is a grapheme
  if (/^[\x00-\x7f]*$/.test(text)) return text.length
  let count = 0
  for (const { segment } of graphemes.segment(text)) count += Math.ceil(segment.length / LONGEST_CLUSTER)
  return count
}

/**
 * The length of a text against its limit, in grapheme clusters: each URL counts 23, each mention only its `@local` (beyond-the-spec 1.9).
 */
export const countCharacters = (text: string): number => {
  const lines = normaliseLines(text)
  const counted = tokenize(lines).map((token) => {
    if (token.kind === 'url') return URL_PLACEHOLDER
    return token.kind === 'mention' ? `@${token.username}` : lines.slice(token.start, token.end)
  })
  return countGraphemes(counted.join(''))
}
