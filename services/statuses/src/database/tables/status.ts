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
  /** Whether its author is local. */
  isLocal: Generated<boolean>
  /** Whether it is a remote status that was fetched on request, by itself or with its thread. */
  isFetched: Generated<boolean>
  replies: Generated<number>
  reblogs: Generated<number>
  favourites: Generated<number>
  /** For remote statuses: the additional boosts and favourites that its own server counts. */
  reblogsElsewhere: number | null
  favouritesElsewhere: number | null
  /** Counts only public and unlisted statuses. */
  quotes: Generated<number>
  /** Numbers of QuotePolicy. */
  quotePolicy: Generated<number>
}

/** The status that a status quotes. */
export type QuoteTable = {
  statusId: string
  /** Null once the quoted status is deleted. */
  quotedId: string | null
  /** Pending, accepted, rejected or revoked; numbers of QuoteState. */
  state: number
  /** The uri of its approval, if the quoted status is remote. */
  authorizationUri: string | null
}

/** The origin of a remote account or status. */
export type StoredOrigin = { domain: string; uri: string; url: string }

/** A mentioned account as the status shows it; `origin` for remote accounts. */
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
  /** The size of the file, if known. */
  bytes?: number
  /** For video and audio. */
  motion?: Motion
  /** For remote statuses: the url of the original file. */
  remote_url?: string
  /** For remote statuses: the url of the original preview, if there is one. */
  preview_remote_url?: string
}

export type StatusTable = {
  id: string
  /** As url, null for local statuses. */
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
  /** Public, and its author is indexable: anyone may find it by search. Indexes use it; pages check again. */
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
