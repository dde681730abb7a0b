import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'
import type { StoredAttachment } from './status.ts'

/** A revision of a status, valid from `created_at` until the next revision. */
export type StatusRevisionTable = {
  id: Generated<string>
  statusId: string
  content: string
  spoilerText: string
  sensitive: boolean
  attachments: ColumnType<StoredAttachment[], string, string>
  createdAt: Date
  /** Titles of the poll's options; empty without a poll. */
  pollOptions: string[]
  emojis: ColumnType<StoredEmoji[], string, string>
}
