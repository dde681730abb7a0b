import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { isNotSuspended, isThere } from '../../audience/index.ts'
import type { StoredField } from '../../database/tables/account.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'

/** The data of an account's uri; uri is null for local accounts. */
type Place = { username: string; uri: string | null }

/** A local account with the columns of its actor document. */
type ActorRow = {
  id: string
  username: string
  displayName: string
  noteHtml: string
  fields: StoredField[]
  avatarUrl: string
  headerUrl: string
  locked: boolean
  bot: boolean
  discoverable: boolean | null
  indexable: boolean
  hideCollections: boolean | null
  createdAt: Date
  isMemorial: boolean
  emojis: StoredEmoji[]
  attributionDomains: string[]
  aliases: Place[]
  movedTo: Place | null
  featuredTags: string[]
  isSuspended: boolean
}

/** Maximum aliases in an actor document. */
const MAX_ALIASES = 50

/** Local accounts by id or lower-case username; closed and incomplete ones are left out, and suspended ones unless requested. */
export const readActorRows = prepared(
  'outgoing.actors',
  ({ ids, usernames, withSuspended }: { ids: readonly string[]; usernames: readonly string[]; withSuspended: boolean }) => sql<ActorRow>`
    select a.id, a.username, a.display_name, a.note_html, a.fields, a.avatar_url, a.header_url, a.locked, a.bot, a.discoverable, a.indexable,
      a.hide_collections, a.created_at, a.is_memorial, a.emojis, a.attribution_domains, a.is_suspended,
      coalesce((select json_agg(json_build_object('username', p.username, 'uri', p.uri) order by p.id) from (
          select alias_id from account_alias where account_id = a.id order by alias_id limit ${sql.lit(MAX_ALIASES)}) l
        cross join lateral (select id, username, uri, closed_at from account where id = l.alias_id offset 0) p
        where p.closed_at is null), '[]') aliases,
      (select json_build_object('username', username, 'uri', uri) from account where id = a.moved_to_id) moved_to,
      array(select display from (select id, display from featured_tag where account_id = a.id offset 0) f order by id) featured_tags
    from (
      select id from account where id = any(${ids}::bigint[]) and domain is null
      union select id from account where lower(username) = any(${usernames}::text[]) and domain is null) named
    cross join lateral (select * from account where id = named.id offset 0) a
    where ${isThere('a')} and (${withSuspended}::boolean or ${isNotSuspended('a')}) order by a.id`,
)

/** The remote followers of an account, after an id, in order of ids. */
export const readRemoteFollowerIds = prepared(
  'outgoing.remote-followers',
  ({ accountId, after, limit }: { accountId: string; after: string; limit: number }) => sql<{ id: string }>`
    select account_id id from follow where target_id = ${accountId} and not is_local and account_id > ${after} order by account_id limit ${limit}`,
)

/** The numbers of followers and follows of a local account, and whether it hides them; no row if it is deleted or hidden. */
export const readCircle = prepared(
  'outgoing.circle',
  ({ accountId }: { accountId: string }) => sql<{ followers: number; following: number; areHidden: boolean }>`
    select followers_count followers, following_count following, coalesce(hide_collections, false) are_hidden from account
    where id = ${accountId} and domain is null and ${isThere()} and ${isNotSuspended()}`,
)

type CirclePage = { accountId: string; below: string; limit: number }
/** An account of a list, and its cursor. */
type CircleRow = Place & { cursor: string }

/** The followers of an account, latest first. */
export const readFollowers = prepared(
  'outgoing.followers',
  ({ accountId, below, limit }: CirclePage) => sql<CircleRow>`
    select p.username, p.uri, f.id cursor from (
      select id, account_id from follow where target_id = ${accountId} and id < ${below} order by id desc limit ${limit}) f
    cross join lateral (select username, uri from account where id = f.account_id offset 0) p order by f.id desc`,
)

/** The follows of an account, latest first. */
export const readFollowing = prepared(
  'outgoing.following',
  ({ accountId, below, limit }: CirclePage) => sql<CircleRow>`
    select p.username, p.uri, f.id cursor from (
      select id, target_id from follow where account_id = ${accountId} and id < ${below} order by id desc limit ${limit}) f
    cross join lateral (select username, uri from account where id = f.target_id offset 0) p order by f.id desc`,
)
