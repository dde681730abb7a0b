import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'

/** An announcement to everyone on the server. */
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
  /** When to publish it; null while it is not to be published. */
  publishAt: Date | null
  /** When it was published; null if it is not. */
  publishedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type AnnouncementDismissalTable = { announcementId: string; accountId: string }

export type AnnouncementReactionTable = { announcementId: string; accountId: string; name: string }

/** The number of reactions with one emoji; no row for none. */
export type AnnouncementReactionCountTable = {
  id: Generated<string>
  announcementId: string
  name: string
  count: number
  /** For a custom emoji. */
  emoji: ColumnType<StoredEmoji | null, string | null, never>
}
