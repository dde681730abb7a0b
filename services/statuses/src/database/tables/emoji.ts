import type { Generated } from 'kysely'

/** A custom emoji as it is stored with a text. */
export type StoredEmoji = { shortcode: string; category: string | null; url: string; static_url: string; visible_in_picker: boolean }

/** A custom emoji, written as :shortcode:. Shortcodes are case-sensitive. */
export type CustomEmojiTable = {
  shortcode: string
  category: string | null
  url: string
  staticUrl: string
  visibleInPicker: Generated<boolean>
  /** Disabled: it cannot be used or picked. */
  isDisabled: Generated<boolean>
  createdAt: Date
}

/** A custom emoji of another server that came with a status or profile. */
export type RemoteEmojiTable = { domain: string; shortcode: string; remoteUrl: string; url: string; staticUrl: string }
