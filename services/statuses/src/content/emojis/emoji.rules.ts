import { LIMITS } from '@rookery/contracts/limits'

/** beyond-the-spec 1.2: letters, digits and underscores, two at least. */
const SHORTCODE = /^\w{2,128}$/

/** Whether a text is a valid shortcode. */
export const isShortcode = (text: string): boolean => SHORTCODE.test(text)

/** Between colons, without an adjacent letter, digit or further colon, so that times and URLs do not match. */
const WRITTEN = /(?<![\p{L}\p{N}:]):(\w{2,128}):(?![\p{L}\p{N}:])/gu

/** The distinct shortcodes in texts. */
export const shortcodesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(WRITTEN)].map(([, shortcode]) => shortcode!))),
]

/** The emojis of a status that occur in some of its texts. */
export const emojisIn = <Emoji extends { shortcode: string }>(texts: readonly string[], emojis: readonly Emoji[]): Emoji[] => {
  if (emojis.length === 0) return []
  const written = new Set(shortcodesIn(texts))
  return emojis.filter(({ shortcode }) => written.has(shortcode))
}

const KILOBYTE = 1024

/** The reasons why an image cannot become an emoji, as messages for people. */
export const emojiFaults = ({ shortcode, picture }: { shortcode: string; picture: Uint8Array }): string[] => {
  const faults: string[] = []
  if (!isShortcode(shortcode)) faults.push('Shortcode must be 2 to 128 letters, digits or underscores')
  if (picture.length === 0) faults.push("File can't be blank")
  if (picture.length > LIMITS.media.emojiBytes) faults.push(`File must be less than ${LIMITS.media.emojiBytes / KILOBYTE} KB`)
  return faults
}
