import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'

/** What the server announces to everyone on it. */
export type AnnouncementTable = {
  id: Generated<string>
  text: string
  content: string
  mentionIds: string[]
  statusIds: string[]
  /** Normalised. */
  tags: string[]
  emojis: ColumnType<StoredEmoji[], string, string>
  startsAt: Date | null
  endsAt: Date | null
  allDay: boolean
  /** When it is to be shown; null while no one wants it shown. */
  publishAt: Date | null
  /** Since when it is shown; null while it is not. */
  publishedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type AnnouncementDismissalTable = { announcementId: string; accountId: string }

export type AnnouncementReactionTable = { announcementId: string; accountId: string; name: string }

/** How many reacted to an announcement with one emoji; no row for none. */
export type AnnouncementReactionCountTable = {
  id: Generated<string>
  announcementId: string
  name: string
  count: number
  /** Its picture, for a custom emoji. */
  emoji: ColumnType<StoredEmoji | null, string | null, never>
}
