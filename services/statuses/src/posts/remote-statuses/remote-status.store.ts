import { hasAny, hasRow, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { follows, followsSince, hasBlockBetween, isNotDirectStatus, isThere, mayAnswer, mayNotify } from '../../audience/index.ts'
import { originOf, unusableTags } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type MentionedRow, type QuotedRow, quotedJson, quotedPart } from '../statuses/index.ts'

/** The data read before a remote status is stored: its author, and the records it refers to. */
export type RemotePreparation = {
  username: string
  domain: string | null
  uri: string | null
  isSilenced: boolean
  isSuspended: boolean
  createdAt: Date
  /** The status stored under its uri. */
  stored: { id: string; authorId: string; isFetched: boolean; hasParent: boolean } | null
  /** Whether staff deleted it here. */
  isRemoved: boolean
  /** Whether replies wait for it. */
  isAwaited: boolean
  /** The status it replies to; null if its author may not see that. */
  parent: { id: string; authorId: string; isDirect: boolean } | null
  mentioned: MentionedRow[] | null
  /** The status it quotes. */
  quoted: QuotedRow | null
  /** Those of its tags that staff exclude from new statuses. */
  unusableTags: string[]
}

type Asked = {
  authorId: string
  uri: string
  parentId: string | null
  quotedId: string | null
  mentionedIds: readonly string[]
  tags: readonly string[]
  now: Date
}

/** Reads a `RemotePreparation`; no row if the author does not exist or is closed. */
export const prepareRemote = prepared('remote.prepare', (given: Asked) => {
  const [author, now] = [sql`${given.authorId}::bigint`, sql.val(given.now)]
  return sql<RemotePreparation>`
    with parent as materialized (
      select p.id, p.author_id, p.thread_id, not ${isNotDirectStatus('p')} is_direct from status_head p
      where p.id = ${given.parentId} and p.reblog_of_id is null and ${mayAnswer('p', author)}),
    ${quotedPart(given.quotedId, author)},
    mentioned as materialized (select id, username, domain, uri, url from account
      where id = any(${given.mentionedIds}::bigint[]) and ${isThere()})
    select ${quotedJson(author, now)} quoted, ${unusableTags(sql`${given.tags}::text[]`)} unusable_tags,
      ${hasRow(sql`from removed_uri where uri = ${given.uri}`)} is_removed,
      ${hasAny(sql`from awaited_parent where uri = ${given.uri}`)} is_awaited,
      username, domain, uri, is_silenced, is_suspended, created_at,
      (select json_build_object('id', h.id::text, 'authorId', h.author_id::text, 'isFetched', h.is_fetched,
          'hasParent', s.in_reply_to_id is not null)
        from (select id, in_reply_to_id from status where uri = ${given.uri} offset 0) s
        cross join lateral (select id, author_id, is_fetched from status_head where id = s.id offset 0) h) stored,
      (select json_build_object('id', id::text, 'authorId', author_id::text, 'isDirect', is_direct) from parent) parent,
      (select json_agg(json_build_object('id', m.id::text, 'username', m.username, 'origin', ${originOf('m')},
         'hasBlock', ${hasBlockBetween('m.id', author)},
         'mayNotify', ${mayNotify({ recipient: 'm.id', actor: author, thread: '(select thread_id from parent)', now })},
         'followsAuthor', ${follows('m.id', author)},
         'followedSince', ${followsSince(author, 'm.id')})
         order by array_position(${given.mentionedIds}::bigint[], m.id))
       from mentioned m) mentioned
    from account where id = ${author} and closed_at is null`
})

/** A found status, with the requested uri. */
export type KnownStatus = { id: string; uri: string; authorId: string }

/** Finds stored remote statuses by uri. */
export const readByUri = prepared(
  'remote.by-uri',
  ({ uris }: { uris: readonly string[] }) => sql<KnownStatus>`select id, uri, author_id from status where uri = any(${uris}::text[])`,
)

/** Finds local statuses by the id and username in their uri; boosts only by the uri of their activity. */
export const readLocal = prepared(
  'remote.local',
  ({
    ids,
    usernames,
    uris,
    areActs,
  }: {
    ids: readonly string[]
    usernames: readonly string[]
    uris: readonly string[]
    areActs: readonly boolean[]
  }) =>
    sql<KnownStatus>`
      select h.id, named.uri, h.author_id
      from unnest(${ids}::bigint[], ${usernames}::text[], ${uris}::text[], ${areActs}::boolean[]) as named (id, username, uri, is_act)
      cross join lateral (select id, author_id, reblog_of_id, is_local from status_head where id = named.id offset 0) h
      cross join lateral (select username from account where id = h.author_id offset 0) a
      where h.is_local and lower(a.username) = lower(named.username) and (h.reblog_of_id is not null) = named.is_act`,
)

/** The properties that make a remote status relevant to local accounts. */
type Interest = {
  uri: string
  authorUri: string
  /** Usernames of local accounts. */
  mentionedUsernames: readonly string[]
  /** Local statuses that it replies to or quotes. */
  namedIds: readonly string[]
  tags: readonly string[]
}

/**
 * Whether a status is stored here, a local account follows its author or a tag or has asked to follow its author, or it mentions, replies to or
 * quotes a local account. Those who ask to follow an author of another server are local; the author's acceptance may arrive after the status.
 */
export const readInterest = prepared(
  'remote.interest',
  ({ uri, authorUri, mentionedUsernames, namedIds, tags }: Interest) => sql<{ concerns: boolean }>`
    select exists (select 1 from account a cross join lateral (select 1 from follow where target_id = a.id and is_local limit 1) f where a.uri = ${authorUri})
      or exists (select 1 from account a cross join lateral (select 1 from follow_request where target_id = a.id limit 1) r where a.uri = ${authorUri})
      or exists (select 1 from account where lower(username) = any(${mentionedUsernames}::text[]) and domain is null and is_active and closed_at is null)
      or exists (select 1 from status where uri = ${uri} offset 0)
      or exists (select 1 from status_head where id = any(${namedIds}::bigint[]) and is_local)
      or exists (select 1 from unnest(${tags}::text[]) tag cross join lateral (select 1 from tag_follow where name = tag limit 1) f) concerns`,
)

/** The counts of a status on its author's server, at most `REMOTE_LIMITS.count`; null if unknown. */
type TotalCounts = { id: string; favourites: number | null; reblogs: number | null }

/** The difference between the count of the author's server and the count here, null for none; unchanged if the former is unknown. */
const countedElsewhere = (total: number | null, count: 'favourites' | 'reblogs') => {
  const [here, elsewhere] = [sql.raw(count), sql.raw(`${count}_elsewhere`)]
  return sql`case when ${total}::int is null then ${elsewhere} else nullif(greatest(${total}::int - ${here}, 0), 0) end`
}

/** Stores how often a status was favourited and boosted elsewhere. Trends ignore these counts, because a server can claim any number. */
export const countElsewhere = prepared('remote.count-elsewhere', ({ id, favourites, reblogs }: TotalCounts) => {
  const counted = sql`${countedElsewhere(favourites, 'favourites')}, ${countedElsewhere(reblogs, 'reblogs')}`
  return sql`update status_head set (favourites_elsewhere, reblogs_elsewhere) = row(${counted})
    where id = ${id} and (favourites_elsewhere, reblogs_elsewhere) is distinct from (${counted})`
})

export class RemoteStatusWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Marks a fetched status as delivered; false if it already was, or was deleted. */
  async unfetch(id: string): Promise<boolean> {
    const { rows } = await sql`update status_head set is_fetched = false where id = ${id} and is_fetched returning id`.execute(this.tx)
    return rows.length > 0
  }
}
