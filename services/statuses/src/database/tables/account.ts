import type { ColumnType, Generated } from 'kysely'
import type { StoredEmoji } from './emoji.ts'

/** A profile field: as typed, as HTML, and when the page it links to was last seen to link back, in milliseconds since 1970. */
export type StoredField = { name: string; value: string; html: string; verified_at?: number }

export type AccountTable = {
  id: string
  version: Generated<number>
  contextVersion: Generated<number>
  username: string
  /** In ASCII and lower case; as uri and url, null for people of this server. */
  domain: string | null
  uri: string | null
  url: string | null
  isGroup: Generated<boolean>
  isActive: boolean
  /** Of this server: has signed up in full. */
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
  /** All its media are marked as sensitive. */
  isSensitized: Generated<boolean>
  /** Its pictures and media are shown to no one, because of its domain. */
  rejectsMedia: Generated<boolean>
  /** Because of its domain alone. */
  silencedByDomain: Generated<boolean>
  suspendedByDomain: Generated<boolean>
  /** Its own server said so. */
  suspendedByServer: Generated<boolean>
  /** The latest act of staff on the account. */
  lastActId: Generated<string>
  /** Where the person is now, for who moved. */
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
  /** Being removed since then, and shown to no one. */
  closedAt: ColumnType<Date | null, Date | undefined, Date>
  /** moderator, admin or owner; empty for everyone else. */
  role: Generated<string>
}
