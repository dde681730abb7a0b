import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isThere } from '../audience/index.ts'
import type { StoredField } from '../database/tables/account.ts'
import type { StoredEmoji } from '../database/tables/emoji.ts'

/** An account's public columns. */
export type AccountRow = {
  id: string
  version: number
  username: string
  domain: string | null
  uri: string | null
  url: string | null
  isGroup: boolean
  displayName: string
  locked: boolean
  bot: boolean
  discoverable: boolean | null
  indexable: boolean
  hideCollections: boolean | null
  createdAt: Date
  noteHtml: string
  avatarUrl: string
  avatarStaticUrl: string
  headerUrl: string
  headerStaticUrl: string
  followersCount: number
  followingCount: number
  statusesCount: number
  lastStatusOn: string | null
  fields: StoredField[]
  emojis: StoredEmoji[]
  role: string
  isSilenced: boolean
  isSuspended: boolean
  isMemorial: boolean
  isSensitized: boolean
  rejectsMedia: boolean
  movedToId: string | null
}

/** What AccountRow holds, for statements that return accounts they changed. */
export const ACCOUNT_COLUMNS = sql`id, version, username, display_name, locked, bot, discoverable, indexable, hide_collections, created_at,
  note_html, avatar_url, avatar_static_url, header_url, header_static_url, followers_count, following_count, statuses_count,
  last_status_on::text, fields, emojis, role, is_silenced, is_suspended, is_memorial, is_sensitized,
  moved_to_id, domain, uri, url, is_group, rejects_media`

/** The accounts of a list of ids with their versions; those that are gone, or going, are left out. */
export const readAccountRows = prepared(
  'views.accounts',
  ({ ids }: { ids: readonly string[] }) => sql<AccountRow>`
    select ${ACCOUNT_COLUMNS} from account where id = any(${ids}::bigint[]) and closed_at is null`,
)

/** Of each account of a list, newcomers among them, its version, whether it is suspended, and whether it is there for others. */
export const readAccountVersions = prepared(
  'views.account-versions',
  ({ ids }: { ids: readonly string[] }) => sql<Pick<AccountRow, 'id' | 'version' | 'isSuspended'> & { isThere: boolean }>`
    select id, version, is_suspended, ${isThere()} is_there from account where id = any(${ids}::bigint[]) and closed_at is null`,
)
