import { hasRow, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { follows, followsSince, hasBlockBetween, isNotDirectStatus, isReachable, isVisibleTo, mayNotify } from '../../audience/index.ts'
import { originOf, unusableTags } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type MentionedRow, type QuotedRow, quotedJson, quotedPart } from '../statuses/index.ts'

/** What a status of another server is judged by. */
export type RemotePreparation = {
  username: string
  domain: string | null
  uri: string | null
  isSilenced: boolean
  isSuspended: boolean
  createdAt: Date
  /** What is kept under its uri. */
  stored: { id: string; authorId: string; isFetched: boolean } | null
  /** Staff deleted it here. */
  isRemoved: boolean
  /** The status it answers; null where its author may not see that. */
  parent: { id: string; authorId: string; isDirect: boolean } | null
  mentioned: MentionedRow[] | null
  /** What it quotes. */
  quoted: QuotedRow | null
  /** Of its tags those that staff keep out of new statuses. */
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

/** Reads it; no row for an author who is gone. */
export const prepareRemote = prepared('remote.prepare', (given: Asked) => {
  const [author, now] = [sql`${given.authorId}::bigint`, sql.val(given.now)]
  return sql<RemotePreparation>`
    with parent as materialized (
      select p.id, p.author_id, p.thread_id, not ${isNotDirectStatus('p')} is_direct from status_head p
      where p.id = ${given.parentId} and p.reblog_of_id is null and ${isVisibleTo('p', author)}),
    ${quotedPart(given.quotedId, author)},
    mentioned as materialized (select id, username, domain, uri, url from account
      where id = any(${given.mentionedIds}::bigint[]) and ${isReachable()} and closed_at is null)
    select ${quotedJson(author, now)} quoted, ${unusableTags(sql`${given.tags}::text[]`)} unusable_tags,
      ${hasRow(sql`from removed_uri where uri = ${given.uri}`)} is_removed,
      username, domain, uri, is_silenced, is_suspended, created_at,
      (select json_build_object('id', h.id::text, 'authorId', h.author_id::text, 'isFetched', h.is_fetched)
        from (select id from status where uri = ${given.uri} offset 0) s
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

/** A status by the uri it was asked for. */
export type KnownStatus = { id: string; uri: string; authorId: string }

/** Of statuses of other servers those that are kept, by uri. */
export const readByUri = prepared(
  'remote.by-uri',
  ({ uris }: { uris: readonly string[] }) => sql<KnownStatus>`select id, uri, author_id from status where uri = any(${uris}::text[])`,
)

/** The statuses of this server that exist: by id and the username that the uri names; boosts only by the uri of their activity. */
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

/** What decides whether a status interests anyone of this server. */
type Interest = {
  uri: string
  authorUri: string
  /** Of people of other servers and of this one. */
  mentionedUsernames: readonly string[]
  /** Of statuses that it answers or quotes. */
  namedIds: readonly string[]
  tags: readonly string[]
}

/** Whether it does: it is known here, someone here follows its author or one of its tags, or it mentions, answers or quotes a person of this server. */
export const readInterest = prepared(
  'remote.interest',
  ({ uri, authorUri, mentionedUsernames, namedIds, tags }: Interest) => sql<{ concerns: boolean }>`
    select exists (select 1 from account a cross join lateral (select 1 from follow where target_id = a.id and is_local limit 1) f where a.uri = ${authorUri})
      or exists (select 1 from account where lower(username) = any(${mentionedUsernames}::text[]) and domain is null and is_active and closed_at is null)
      or exists (select 1 from status where uri = ${uri} offset 0)
      or exists (select 1 from status_head where id = any(${namedIds}::bigint[]) and is_local)
      or exists (select 1 from unnest(${tags}::text[]) tag cross join lateral (select 1 from tag_follow where name = tag limit 1) f) concerns`,
)

/** What the author's server says of a status, at most `REMOTE_LIMITS.count`; null where it does not say. */
type TotalCounts = { id: string; favourites: number | null; reblogs: number | null }

/** The difference between what a server counts and what is counted here. */
const countedElsewhere = (total: number | null, count: 'favourites' | 'reblogs') => {
  const [here, elsewhere] = [sql.raw(count), sql.raw(`${count}_elsewhere`)]
  return sql`case when ${total}::int is null then ${elsewhere} else nullif(greatest(${total}::int - ${here}, 0), 0) end`
}

/** Notes how often a status was favourited and boosted elsewhere. Trends do not count that: its server may say anything. */
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

  /** Marks what was kept for someone who asked as sent here; false when it was so already, or is gone. */
  async unfetch(id: string): Promise<boolean> {
    const { rows } = await sql`update status_head set is_fetched = false where id = ${id} and is_fetched returning id`.execute(this.tx)
    return rows.length > 0
  }
}
