import type { Motion } from '@rookery/contracts/statuses'
import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'

export type StatusHeadTable = {
  id: string
  version: Generated<number>
  authorId: string
  visibility: number
  reblogOfId: string | null
  threadId: string
  isListed: boolean
  isReplyToOther: boolean
  hasMedia: boolean
  /** Of this server. */
  isLocal: Generated<boolean>
  /** Of another server, and kept because someone asked for it or for its thread. */
  isFetched: Generated<boolean>
  replies: Generated<number>
  reblogs: Generated<number>
  favourites: Generated<number>
  /** Of a status of another server: how many more its server knows of. */
  reblogsElsewhere: number | null
  favouritesElsewhere: number | null
  /** By public and unlisted statuses. */
  quotes: Generated<number>
  /** By the numbers of QuotePolicy. */
  quotePolicy: Generated<number>
}

/** The status that a status quotes. */
export type QuoteTable = {
  statusId: string
  /** Null once it is deleted. */
  quotedId: string | null
  /** Pending, accepted, rejected or revoked, by the numbers of QuoteState. */
  state: number
  /** What approves it, where the quoted status is of another server. */
  authorizationUri: string | null
}

/** Where a person or status of another server comes from. */
export type StoredOrigin = { domain: string; uri: string; url: string }

/** A mentioned person as the status shows them; `origin` of another server's. */
export type StoredMention = { id: string; username: string; origin?: StoredOrigin }

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
  /** How large the file is, where that is known. */
  bytes?: number
  /** Of what moves or sounds. */
  motion?: Motion
  /** Of a status of another server: where its server keeps the file. */
  remote_url?: string
  /** The same of its preview, where it has one. */
  preview_remote_url?: string
}

export type StatusTable = {
  id: string
  /** As url, null for those of this server. */
  uri: string | null
  url: string | null
  authorId: string
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  content: string
  inReplyToId: string | null
  inReplyToAccountId: string | null
  createdAt: Date
  editedAt: Date | null
  applicationName: string | null
  applicationWebsite: string | null
  mentions: ColumnType<StoredMention[], string, string>
  tags: string[]
  attachments: ColumnType<StoredAttachment[], string, string>
  emojis: ColumnType<StoredEmoji[], string | undefined, string>
  /** Public, by an author who is indexable: everyone may find it by its words. Indexes follow it, pages ask again. */
  isFindable: Generated<boolean>
}

export type MentionTable = { statusId: string; accountId: string }
export type TagTable = {
  id: Generated<string>
  name: string
  display: string
  createdAt: Date
  /** Whether new statuses carry it. */
  isUsable: Generated<boolean>
  /** Whether searches and trends show it. */
  isListable: Generated<boolean>
}
export type StatusTagTable = { name: string; statusId: string; authorId: string; isOpen: boolean }
export type IdempotencyKeyTable = {
  accountId: string
  key: string
  statusId: string
  createdAt: Date
  /** status_id is a scheduled status's. */
  isScheduled: Generated<boolean>
}
