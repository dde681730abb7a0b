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
  /** No one may write or pick it. */
  isDisabled: Generated<boolean>
  createdAt: Date
}

/** An emoji of another server that came with a status or profile. */
export type RemoteEmojiTable = { domain: string; shortcode: string; remoteUrl: string; url: string; staticUrl: string }
