import { LIMITS } from '@rookery/contracts/limits'

/** beyond-the-spec 1.2: letters, digits and underscores, two at least. */
const SHORTCODE = /^\w{2,128}$/

/** Whether a text can be the shortcode of an emoji. */
export const isShortcode = (text: string): boolean => SHORTCODE.test(text)

/** Between colons, with no letter, digit or other colon beside them, so that times and addresses hold none. */
const WRITTEN = /(?<![\p{L}\p{N}:]):(\w{2,128}):(?![\p{L}\p{N}:])/gu

/** The shortcodes written in texts, each once. */
export const shortcodesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(WRITTEN)].map(([, shortcode]) => shortcode!))),
]

/** Of a status's emojis, those that some of its texts hold. */
export const emojisIn = <Emoji extends { shortcode: string }>(texts: readonly string[], emojis: readonly Emoji[]): Emoji[] => {
  if (emojis.length === 0) return []
  const written = new Set(shortcodesIn(texts))
  return emojis.filter(({ shortcode }) => written.has(shortcode))
}

const KILOBYTE = 1024

/** What keeps a picture from becoming an emoji, as faults for people. */
export const emojiFaults = ({ shortcode, picture }: { shortcode: string; picture: Uint8Array }): string[] => {
  const faults: string[] = []
  if (!isShortcode(shortcode)) faults.push('Shortcode must be 2 to 128 letters, digits or underscores')
  if (picture.length === 0) faults.push("File can't be blank")
  if (picture.length > LIMITS.media.emojiBytes) faults.push(`File must be less than ${LIMITS.media.emojiBytes / KILOBYTE} KB`)
  return faults
}
