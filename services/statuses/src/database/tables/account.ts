import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'

/** A profile field: as typed, as HTML, and when its link was last verified, in milliseconds since 1970. */
export type StoredField = { name: string; value: string; html: string; verified_at?: number }

export type AccountTable = {
  id: string
  version: Generated<number>
  contextVersion: Generated<number>
  username: string
  /** In ASCII and lower case. Domain, uri and url are null for local accounts. */
  domain: string | null
  uri: string | null
  url: string | null
  isGroup: Generated<boolean>
  isActive: boolean
  /** For local accounts: whether the sign-up is complete. */
  hasJoined: Generated<boolean>
  displayName: Generated<string>
  note: Generated<string>
  noteHtml: Generated<string>
  fields: ColumnType<StoredField[], string | undefined, string>
  avatarUrl: Generated<string>
  avatarStaticUrl: Generated<string>
  headerUrl: Generated<string>
  headerStaticUrl: Generated<string>
  avatarMediaId: string | null
  headerMediaId: string | null
  locked: Generated<boolean>
  bot: Generated<boolean>
  discoverable: boolean | null
  indexable: Generated<boolean>
  hideCollections: boolean | null
  defaultPrivacy: number | null
  defaultSensitive: Generated<boolean>
  defaultLanguage: string | null
  /** public, followers or no one; null when never set. */
  defaultQuotePolicy: string | null
  /** default, show_all or hide_all; null when never set. */
  expandMedia: string | null
  expandSpoilers: Generated<boolean>
  autoplayGifs: Generated<boolean>
  attributionDomains: Generated<string[]>
  showMedia: Generated<boolean>
  showMediaReplies: Generated<boolean>
  showFeatured: Generated<boolean>
  locale: string | null
  isSilenced: Generated<boolean>
  isSuspended: Generated<boolean>
  isMemorial: Generated<boolean>
  /** Whether all its media are marked as sensitive. */
  isSensitized: Generated<boolean>
  /** Whether its images and media are hidden from everyone, because of its domain. */
  rejectsMedia: Generated<boolean>
  /** Silenced or suspended only because of its domain. */
  silencedByDomain: Generated<boolean>
  suspendedByDomain: Generated<boolean>
  /** Whether its own server reports it as suspended. */
  suspendedByServer: Generated<boolean>
  /** The latest act of staff on the account. */
  lastActId: Generated<string>
  /** The new account of someone who moved. */
  movedToId: string | null
  createdAt: Date
  /** The highest id of a status the account has published. */
  lastStatusId: Generated<string>
  lastStatusOn: ColumnType<string | null, string | null | undefined, string | null>
  statusesCount: Generated<number>
  followersCount: Generated<number>
  followingCount: Generated<number>
  followRequestsCount: Generated<number>
  emojis: ColumnType<StoredEmoji[], string | undefined, string>
  /** When its deletion began; since then it is hidden from everyone. */
  closedAt: ColumnType<Date | null, Date | undefined, Date>
  /** moderator, admin or owner; empty for everyone else. */
  role: Generated<string>
}
