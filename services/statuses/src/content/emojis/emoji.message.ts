import type { CustomEmoji } from '@rookery/contracts/statuses'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { EmojiRow } from './emoji.store.ts'

/** A stored emoji as a message. */
export const emojiMessage = (row: StoredEmoji): CustomEmoji => ({
  shortcode: row.shortcode,
  url: row.url,
  staticUrl: row.static_url,
  visibleInPicker: row.visible_in_picker,
  category: row.category ?? '',
})

/** An emoji of this server as a message, with the fields for staff. */
export const customEmojiMessage = ({ createdAt: _, ...row }: EmojiRow): CustomEmoji => ({ ...row, category: row.category ?? '' })
