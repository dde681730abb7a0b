import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'

/** A profile field: as typed, as HTML, and when the page it links to was last seen to link back, in milliseconds since 1970. */
export type StoredField = { name: string; value: string; html: string; verified_at?: number }

export type AccountTable = {
  id: string
  version: Generated<number>
  context_version: Generated<number>
  username: string
  is_active: boolean
  display_name: Generated<string>
  note: Generated<string>
  note_html: Generated<string>
  fields: ColumnType<StoredField[], string | undefined, string>
  avatar_url: Generated<string>
  avatar_static_url: Generated<string>
  header_url: Generated<string>
  header_static_url: Generated<string>
  avatar_media_id: string | null
  header_media_id: string | null
  locked: Generated<boolean>
  bot: Generated<boolean>
  discoverable: boolean | null
  indexable: Generated<boolean>
  hide_collections: boolean | null
  default_privacy: number | null
  default_sensitive: Generated<boolean>
  default_language: string | null
  /** public, followers or nobody; null for whoever never said. */
  default_quote_policy: string | null
  attribution_domains: Generated<string[]>
  show_media: Generated<boolean>
  show_media_replies: Generated<boolean>
  show_featured: Generated<boolean>
  locale: string | null
  is_silenced: Generated<boolean>
  is_suspended: Generated<boolean>
  is_memorial: Generated<boolean>
  /** Where the person is now, for who moved. */
  moved_to_id: string | null
  created_at: Date
  /** The highest id of a status the account has published. */
  last_status_id: Generated<string>
  last_status_on: ColumnType<string | null, string | null | undefined, string | null>
  statuses_count: Generated<number>
  followers_count: Generated<number>
  following_count: Generated<number>
  follow_requests_count: Generated<number>
  emojis: ColumnType<StoredEmoji[], string | undefined, string>
  /** Being removed since then, and shown to nobody. */
  closed_at: ColumnType<Date | null, Date | undefined, Date>
  /** moderator, admin or owner; empty for everybody else. */
  role: Generated<string>
}
