import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'

export type StatusHeadTable = {
  id: string
  version: Generated<number>
  author_id: string
  visibility: number
  reblog_of_id: string | null
  thread_id: string
  is_listed: boolean
  is_reply_to_other: boolean
  has_media: boolean
  replies: Generated<number>
  reblogs: Generated<number>
  favourites: Generated<number>
}

/** A mentioned person as the status shows them. */
export type StoredMention = { id: string; username: string }

/** The display copy of an attached file. */
export type StoredAttachment = {
  id: string
  type: string
  url: string
  preview_url: string
  description: string
  blurhash: string
  focus?: { x: number; y: number }
  original?: { width: number; height: number }
  small?: { width: number; height: number }
}

export type StatusTable = {
  id: string
  author_id: string
  text: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  content: string
  in_reply_to_id: string | null
  in_reply_to_account_id: string | null
  created_at: Date
  edited_at: Date | null
  application_name: string | null
  application_website: string | null
  mentions: ColumnType<StoredMention[], string, string>
  tags: string[]
  attachments: ColumnType<StoredAttachment[], string, string>
  emojis: ColumnType<StoredEmoji[], string | undefined, string>
}

export type MentionTable = { status_id: string; account_id: string }
export type TagTable = { id: Generated<string>; name: string; display: string; created_at: Date }
export type StatusTagTable = { name: string; status_id: string; author_id: string; is_open: boolean }
export type IdempotencyKeyTable = {
  account_id: string
  key: string
  status_id: string
  created_at: Date
  /** status_id is a scheduled status's. */
  is_scheduled: Generated<boolean>
}
