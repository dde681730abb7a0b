import type { CustomEmoji } from '@rookery/contracts/statuses'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { EmojiRow } from './emoji.store.ts'

/** An emoji as others see it. */
export const emojiMessage = (row: StoredEmoji): CustomEmoji => ({
  shortcode: row.shortcode,
  url: row.url,
  staticUrl: row.static_url,
  visibleInPicker: row.visible_in_picker,
  category: row.category ?? '',
})

/** An emoji as the server has it. */
export const customEmojiMessage = ({ createdAt: _, ...row }: EmojiRow): CustomEmoji => ({ ...row, category: row.category ?? '' })
