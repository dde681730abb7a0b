/** Sequences recommended for interchange by Unicode, fully qualified (UTS 51, ED-27). */
const RGI = /^\p{RGI_Emoji}$/v

/** Characters shown as text unless a variation selector follows; a skin tone takes its place (UTS 51, 2.4). */
const TEXT_BY_DEFAULT = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\p{Emoji_Modifier})/gu

/** More UTF-16 units than in any Unicode sequence. */
const MAX_UNITS = 50

const VARIATION_SELECTOR = '\uFE0F'

/**
 * Normalises one Unicode emoji to its fully-qualified form: keyboards leave variation selectors out, and both spellings are the same emoji. Undefined
 * for any other text, several emojis too.
 */
export const unicodeEmoji = (text: string): string | undefined => {
  if (text.length > MAX_UNITS) return undefined
  const bare = text.replaceAll(VARIATION_SELECTOR, '')
  const qualified = bare.replace(TEXT_BY_DEFAULT, `$&${VARIATION_SELECTOR}`)
  return [bare, qualified].find((spelling) => RGI.test(spelling))
}
