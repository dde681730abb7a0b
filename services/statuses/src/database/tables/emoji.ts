import type { Generated } from 'kysely'

/** An emoji as a text that holds it keeps it. */
export type StoredEmoji = { shortcode: string; category: string | null; url: string; static_url: string; visible_in_picker: boolean }

/** A picture people write as :shortcode:. Shortcodes differ by case too. */
export type CustomEmojiTable = {
  shortcode: string
  category: string | null
  url: string
  staticUrl: string
  visibleInPicker: Generated<boolean>
  createdAt: Date
}
