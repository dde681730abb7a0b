import { statement } from '@rookery/database'
import type { StoredField } from '../database/tables/account.ts'
import type { StoredEmoji } from '../database/tables/emoji.ts'

/** An account's public columns, in the order of ACCOUNT_COLUMNS. */
export type AccountRow = [
  id: string,
  version: number,
  username: string,
  displayName: string,
  locked: boolean,
  bot: boolean,
  discoverable: boolean | null,
  indexable: boolean,
  hideCollections: boolean | null,
  createdAt: Date,
  noteHtml: string,
  avatarUrl: string,
  avatarStaticUrl: string,
  headerUrl: string,
  headerStaticUrl: string,
  followersCount: number,
  followingCount: number,
  statusesCount: number,
  lastStatusOn: string | null,
  fields: StoredField[],
  emojis: StoredEmoji[],
  role: string,
  isSilenced: boolean,
  isSuspended: boolean,
  isMemorial: boolean,
  movedToId: string | null,
]

/** What AccountRow holds, for statements that return accounts they changed. */
export const ACCOUNT_COLUMNS = `id, version, username, display_name, locked, bot, discoverable, indexable, hide_collections, created_at,
  note_html, avatar_url, avatar_static_url, header_url, header_static_url, followers_count, following_count, statuses_count,
  last_status_on::text, fields, emojis, role, is_silenced, is_suspended, is_memorial, moved_to_id`

/** The accounts of a list of ids with their versions; those that are gone, or going, are left out. */
export const readAccountRows = statement<AccountRow>(
  'views.accounts',
  `select ${ACCOUNT_COLUMNS} from account where id = any($1::bigint[]) and closed_at is null`,
)

/** [id, version, whether it is suspended] of each account of a list. */
export const readAccountVersions = statement<[id: string, version: number, isSuspended: boolean]>(
  'views.account-versions',
  'select id, version, is_suspended from account where id = any($1::bigint[]) and closed_at is null',
)
