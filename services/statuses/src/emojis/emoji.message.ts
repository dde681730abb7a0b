import type { CustomEmoji } from '@rookery/contracts/statuses'
import type { EmojiRow } from './emoji.store.ts'

/** A row as others see it. */
export const emojiMessage = (row: Omit<EmojiRow, 'created_at'>): CustomEmoji => ({
  shortcode: row.shortcode,
  url: row.url,
  staticUrl: row.static_url,
  visibleInPicker: row.visible_in_picker,
  category: row.category ?? '',
})
