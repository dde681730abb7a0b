import type { CustomEmoji } from '@rookery/contracts/statuses'
import { type Html, html } from '@rookery/pages'

/** The image of a shortcode. */
type Pictured = Pick<CustomEmoji, 'shortcode' | 'url'>

/** Replaces shortcodes by images, in the text of HTML and never inside a tag. */
export const withEmojis = (given: Html, emojis: readonly Pictured[]): Html => {
  if (emojis.length === 0) return given
  const byCode = new Map(emojis.map((emoji) => [emoji.shortcode, emoji]))
  const picture = (whole: string, code: string) => {
    const emoji = byCode.get(code)
    return emoji ? html`<img class="emoji" src="${emoji.url}" alt="${whole}" title="${whole}">`.html : whole
  }
  const parts = given.html.split(/(<[^>]*>)/)
  return { html: parts.map((part) => (part.startsWith('<') ? part : part.replace(/:([A-Za-z0-9_]{2,}):/g, picture))).join('') }
}

/** The same for plain text. */
export const textWithEmojis = (text: string, emojis: readonly Pictured[]): Html => withEmojis(html`${text}`, emojis)
