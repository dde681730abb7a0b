import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'
import type { StoredAttachment } from './status.ts'

/** What a status was from `created_at` on, until the next revision. */
export type StatusRevisionTable = {
  id: Generated<string>
  status_id: string
  content: string
  spoiler_text: string
  sensitive: boolean
  attachments: ColumnType<StoredAttachment[], string, string>
  created_at: Date
  /** Titles of the poll's options; empty without a poll. */
  poll_options: string[]
  emojis: ColumnType<StoredEmoji[], string, string>
}
