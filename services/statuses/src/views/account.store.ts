import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isKeptFromInbox, isThere } from '../audience/index.ts'
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

/** The columns of AccountRow, for statements that return changed accounts. */
export const ACCOUNT_COLUMNS = sql`id, version, username, display_name, locked, bot, discoverable, indexable, hide_collections, created_at,
  note_html, avatar_url, avatar_static_url, header_url, header_static_url, followers_count, following_count, statuses_count,
  last_status_on::text, fields, emojis, role, is_silenced, is_suspended, is_memorial, is_sensitized,
  moved_to_id, domain, uri, url, is_group, rejects_media`

/** The accounts of a list of ids; closed ones are left out. */
export const readAccountRows = prepared(
  'views.accounts',
  ({ ids }: { ids: readonly string[] }) => sql<AccountRow>`
    select ${ACCOUNT_COLUMNS} from account where id = any(${ids}::bigint[]) and closed_at is null`,
)

type AccountVersion = Pick<AccountRow, 'id' | 'version' | 'isSuspended'> & { isThere: boolean }

const versionsOf = (ids: readonly string[]) => sql<AccountVersion>`
  select id, version, is_suspended, ${isThere('actor')} is_there from account actor where id = any(${ids}::bigint[]) and closed_at is null`

/** The version of each account of a list, whether it is suspended, and whether it exists for others. Includes accounts that have not joined. */
export const readAccountVersions = prepared('views.account-versions', ({ ids }: { ids: readonly string[] }) => versionsOf(ids))

/** The same, without accounts whose notifications the recipient's blocks and mutes keep away. */
export const readActorVersions = prepared(
  'views.actor-versions',
  ({ ids, recipientId, now }: { ids: readonly string[]; recipientId: string; now: Date }) => sql<AccountVersion>`
    ${versionsOf(ids)} and not ${isKeptFromInbox({ recipient: sql`${recipientId}::bigint`, actor: 'actor.id', now: sql`${now}` })}`,
)
