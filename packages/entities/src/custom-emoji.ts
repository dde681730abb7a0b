import type { CustomEmoji } from '@rookery/contracts/statuses'

/** Emoji (spec, Resources; beyond-the-spec 1.1); `category` only if there is one. */
export const customEmojiEntity = ({ shortcode, url, staticUrl, visibleInPicker, category }: CustomEmoji) => ({
  shortcode,
  url,
  static_url: staticUrl,
  visible_in_picker: visibleInPicker,
  ...(category ? { category } : {}),
})
