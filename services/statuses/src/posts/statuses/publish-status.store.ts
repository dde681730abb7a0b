import { type QuotePolicy, QuoteState, Visibility } from '@rookery/contracts/statuses'
import { type Prepared, prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import {
  blocks,
  follows,
  followsSince,
  hasBlockBetween,
  isNotDirectStatus,
  isVisibleTo,
  mayNotify,
  mutesThread,
} from '../../audience/index.ts'
import { mentionable, type Naming, originOf, placeOf, unusableTags } from '../../content/text/index.ts'
import { query } from '../../database/query.ts'
import type { StoredOrigin } from '../../database/tables/status.ts'
import { ACCOUNT_COLUMNS, type AccountRow } from '../../views/index.ts'

/** What a post is judged by. */
export type PreparationRow = {
  /** What its key made already. */
  madeByKey: string | null
  /** Whether the author is elsewhere now. */
  hasMoved: boolean
  parent: ParentRow | null
  quoted: QuotedRow | null
  /** Null: not said. */
  defaultQuotePolicy: string | null
  username: string
  locked: boolean
  defaultPrivacy: number | null
  defaultSensitive: boolean
  defaultLanguage: string | null
  locale: string | null
  isSilenced: boolean
  /** Whether the author holds a role. */
  isStaff: boolean
  createdAt: Date
  mentioned: MentionedRow[] | null
  /** The version of the author's context, when they filter anything. */
  contextVersion: number | null
  /** Of the tags of the text those that staff keep out of new statuses. */
  unusableTags: string[]
}

/** The status replied to; for a boost the status it boosts. */
export type ParentRow = {
  id: string
  authorId: string
  maySee: boolean
  isDirect: boolean
  /** The author muted the thread. */
  isMuted: boolean
}

/** The status to quote; for a boost the status it boosts. */
export type QuotedRow = {
  id: string
  authorId: string
  visibility: number
  quotePolicy: QuotePolicy
  isLocal: boolean
  maySee: boolean
  hasBlock: boolean
  /** The author of the quote follows its author. */
  isFollowed: boolean
  /** Since when, in milliseconds since 1970; null where not. */
  followedSince: number | null
  /** Its author follows that of the quote. */
  followsAuthor: boolean
  mayNotify: boolean
}

/** A mentioned person, and what stands between them and the author. */
export type MentionedRow = {
  id: string
  username: string
  /** Null for people of this server. */
  origin?: StoredOrigin | null
  hasBlock: boolean
  mayNotify: boolean
  followsAuthor: boolean
  /** Since when the author follows them, in milliseconds since 1970; null where the author does not. */
  followedSince: number | null
}

type Asked = Naming & {
  authorId: string
  parentId: string | null
  quotedId: string | null
  tags: readonly string[]
  now: Date
  key: string | null
  /** Since when keys count. */
  keysSince: Date
}

/** A part of a statement: the status that an author wants to quote. */
export const quotedPart = (quotedId: unknown, author: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    quoted as materialized (
      select q.id, q.author_id, q.thread_id, q.visibility, q.quote_policy, q.is_local, ${isVisibleTo('named', author)} and ${isVisibleTo('q', author)} may_see
      from status_head named join status_head q on q.id = coalesce(named.reblog_of_id, named.id) where named.id = ${quotedId})`

/** What decides whether they may, as a QuotedRow in JSON. */
export const quotedJson = (author: RawBuilder<unknown>, now: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      (select json_build_object('id', id::text, 'authorId', author_id::text, 'visibility', visibility, 'quotePolicy', quote_policy,
         'isLocal', is_local, 'maySee', may_see, 'hasBlock', ${hasBlockBetween('q.author_id', author)},
         'isFollowed', ${follows(author, 'q.author_id')}, 'followedSince', ${followsSince(author, 'q.author_id')},
         'followsAuthor', ${follows('q.author_id', author)},
         'mayNotify', ${mayNotify({ recipient: 'q.author_id', actor: author, thread: 'q.thread_id', now })}) from quoted q)`

/** Reads what a post is judged by. */
export const prepare = prepared('publish.prepare', (given: Asked) => {
  const [author, now] = [sql.val(given.authorId), sql.val(given.now)]
  return sql<PreparationRow>`
    with parent as materialized (
      select p.id, p.author_id, p.thread_id, not ${isNotDirectStatus('p')} is_direct,
        ${isVisibleTo('named', author)} and ${isVisibleTo('p', author)} may_see
      from status_head named join status_head p on p.id = coalesce(named.reblog_of_id, named.id) where named.id = ${given.parentId}),
    ${quotedPart(given.quotedId, author)},
    mentioned as materialized (${mentionable(given)})
    select (select status_id from idempotency_key k where k.account_id = ${author} and k.key = ${given.key} and k.created_at >= ${given.keysSince}
         and exists (select 1 from status_head where id = k.status_id union all select 1 from scheduled_status where id = k.status_id)) made_by_key,
      moved_to_id is not null has_moved,
      (select json_build_object('id', id::text, 'authorId', author_id::text, 'maySee', may_see, 'isDirect', is_direct,
         'isMuted', ${mutesThread(author, 'parent.thread_id')}) from parent) parent,
      ${quotedJson(author, now)} quoted,
      username, locked, default_privacy, default_quote_policy, default_sensitive, default_language, locale, is_silenced, role <> '' is_staff, created_at,
      (select json_agg(json_build_object('id', m.id::text, 'username', m.username, 'origin', ${originOf('m')},
         'hasBlock', ${hasBlockBetween('m.id', author)},
         'mayNotify', ${mayNotify({ recipient: 'm.id', actor: author, thread: '(select thread_id from parent)', now })}
           and not ${blocks('m.id', 'any(array(select id from mentioned union all select author_id from parent))')},
         'followsAuthor', ${follows('m.id', author)},
         'followedSince', ${followsSince(author, 'm.id')})
         order by ${placeOf(sql`m.handle`, given)})
       from mentioned m) mentioned,
      case when exists (select 1 from filter where account_id = ${author}) then context_version end context_version,
      ${unusableTags(sql`${given.tags}::text[]`)} unusable_tags
    from account where id = ${author}`
})

type Reservation = { authorId: string; key: string; id: string }

/** Reserves an id for a key of an account, or answers with the one reserved since a moment. */
export const reserveId = prepared(
  'publish.reserve-id',
  ({ authorId, key, id, now, since }: Reservation & { now: Date; since: Date }) => sql<{ statusId: string }>`
    insert into idempotency_key (account_id, key, status_id, created_at) values (${authorId}, ${key}, ${id}, ${now})
    on conflict (account_id, key) do update set
      status_id = case when idempotency_key.created_at < ${since} then excluded.status_id else idempotency_key.status_id end,
      is_scheduled = idempotency_key.is_scheduled and idempotency_key.created_at >= ${since},
      created_at = case when idempotency_key.created_at < ${since} then excluded.created_at else idempotency_key.created_at end
    returning status_id`,
)

/** Gives back an id reserved for a key of an account that made nothing of that account's. */
export const releaseId = prepared(
  'publish.release-id',
  ({ authorId, key, id }: Reservation) => sql<never>`
    delete from idempotency_key where account_id = ${authorId} and key = ${key} and status_id = ${id}
    and not exists (select 1 from status_head where id = ${id} and author_id = ${authorId})
    and not exists (select 1 from scheduled_status where id = ${id} and account_id = ${authorId})`,
)

/** A row when an account scheduled a status of this id. */
export const isScheduled = prepared('publish.is-scheduled', ({ id, authorId }: Pick<Reservation, 'id' | 'authorId'>) =>
  query.selectFrom('scheduledStatus').select('id').where('id', '=', id).where('accountId', '=', authorId),
)

/** A status as it is written, and the events that leave with it. */
export type NewStatus = {
  id: string
  /** As url, null for what is of this server. */
  uri: string | null
  url: string | null
  isLocal: boolean
  isFetched: boolean
  authorId: string
  visibility: number
  isListed: boolean
  isReplyToOther: boolean
  hasMedia: boolean
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  content: string
  inReplyToId: string | null
  inReplyToAccountId: string | null
  quotePolicy: number
  /** Null for none. */
  quotedId: string | null
  /** By the numbers of QuoteState; what is accepted is counted. */
  quoteState: number
  quoteAuthorizationUri: string | null
  createdAt: Date
  applicationName: string | null
  applicationWebsite: string | null
  /** Those mentioned, files and emojis as JSON. */
  mentions: string
  attachments: string
  emojis: string
  mentionedIds: readonly string[]
  /** The names of the tags, and how each is spelt here. */
  tags: readonly string[]
  displays: readonly string[]
  /** Of each event. */
  topics: readonly string[]
  keys: readonly string[]
  envelopes: readonly Buffer[]
  pollExpiresAt: Date | null
  isMultiple: boolean
  hidesTotals: boolean
  pollOptions: readonly string[]
  pollVotes: readonly number[]
  pollVoters: number
  /** Whether it fails when the author has published a higher id (`isOvertaken`). */
  isOrdered: boolean
}

/**
 * What `last_status_id` of an account becomes with a status: null, which the column refuses, when the account has published a higher id and
 * the order counts. Postgres evaluates it on the latest version of the row, under its lock, so the statuses of one author are committed in
 * the order of their ids, whichever process writes them.
 */
export const nextStatusId = ({ id, isOrdered }: { id: RawBuilder<unknown>; isOrdered: RawBuilder<boolean> }): RawBuilder<string> =>
  sql`case when last_status_id < ${id} or not ${isOrdered}::boolean then greatest(last_status_id, ${id}) end`

/** Parts of a statement: what comes before the head, on what it depends, what else is written, and what the account waits for. */
type Parts<Given> = Record<'before' | 'provided' | 'beside' | 'after', (given: Given) => RawBuilder<unknown>>

/**
 * Everything a post changes, in one statement: the head decides (when it is not inserted nothing is), the others hang on it. Returns
 * the author's account as it now is, or with nothing. Rows that others write too are locked in the order of all writers: heads of
 * statuses, accounts, then new tags by name.
 */
const insertion = <Given extends NewStatus>(name: string, parts: Parts<Given>): Prepared<Given, AccountRow> =>
  prepared(name, (given: Given) => {
    const [id, author, visibility] = [sql`${given.id}::bigint`, sql`${given.authorId}::bigint`, sql`${given.visibility}::smallint`]
    const [tags, now] = [sql`${given.tags}::text[]`, sql`${given.createdAt}::timestamptz`]
    return sql<AccountRow>`
    with ${parts.before(given)},
    head as (
      insert into status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, quote_policy, is_local, is_fetched, thread_id)
      select ${id}, ${author}, ${visibility}, ${given.isListed}::boolean, ${given.isReplyToOther}::boolean, ${given.hasMedia}::boolean,
        ${given.quotePolicy}::smallint, ${given.isLocal}::boolean, ${given.isFetched}::boolean,
        coalesce((select thread_id from status_head where id = ${given.inReplyToId}), ${id}) where ${parts.provided(given)}
      returning id),
    body as (
      insert into status (id, author_id, text, spoiler_text, sensitive, language, content, in_reply_to_id, in_reply_to_account_id, created_at,
        application_name, application_website, mentions, tags, attachments, emojis, uri, url, is_findable)
      select id, ${author}, ${given.text}, ${given.spoilerText}, ${given.sensitive}, ${given.language}, ${given.content}, ${given.inReplyToId},
        ${given.inReplyToAccountId}, ${now}, ${given.applicationName}, ${given.applicationWebsite}, ${given.mentions}::jsonb, ${tags},
        ${given.attachments}::jsonb, ${given.emojis}::jsonb, ${given.uri}, ${given.url},
        ${visibility} = ${sql.lit(Visibility.PUBLIC)} and (select indexable from account where id = ${author}) from head),
    own_feed as (insert into feed (account_id, status_id) select ${author}, id from head where ${given.isLocal}::boolean),
    mentioned as (
      insert into mention (status_id, account_id) select head.id, person from head, unnest(${given.mentionedIds}::bigint[]) person),
    named as (
      insert into tag (name, display, created_at) select name, display, ${now} from head, unnest(${tags}, ${given.displays}::text[]) as t (name, display)
      order by name on conflict (name) do nothing),
    tagged as (
      insert into status_tag (name, status_id, author_id, is_open) select name, head.id, ${author}, ${visibility} <= 2 from head, unnest(${tags}) name),
    counting as materialized (
      select id from status_head where id = any(array[${given.inReplyToId}, ${given.quotedId}]::bigint[]) and exists (select 1 from head)
      order by id for no key update),
    replied as (
      update status_head h set replies = replies + (h.id = coalesce(${given.inReplyToId}::bigint, 0))::int,
        quotes = quotes + (h.id = coalesce(${given.quotedId}::bigint, 0) and ${given.quoteState}::smallint = ${sql.lit(QuoteState.ACCEPTED)})::int
      from counting where h.id = counting.id and ${visibility} <= 2 returning h.id),
    quoting as (
      insert into quote (status_id, quoted_id, state, authorization_uri)
      select id, (select id from counting where id = ${given.quotedId}), ${given.quoteState}::smallint, ${given.quoteAuthorizationUri}::text from head
      where ${given.quotedId}::bigint is not null),
    asked as (
      insert into poll (status_id, expires_at, is_multiple, hides_totals, options, votes, voters)
      select id, ${given.pollExpiresAt}::timestamptz, ${given.isMultiple}, ${given.hidesTotals}, ${given.pollOptions}::text[],
        ${given.pollVotes}::integer[], ${given.pollVoters}::integer
      from head where ${given.pollOptions}::text[] <> '{}'),
    events as (
      insert into outbox (topic, key, envelope) select topic, key, envelope
      from head, unnest(${given.topics}::text[], ${given.keys}::text[], ${given.envelopes}::bytea[]) as event (topic, key, envelope))${parts.beside(given)}
    update account set version = version + 1, statuses_count = statuses_count + case when ${visibility} = 4 or not ${given.isLocal}::boolean then 0 else 1 end,
      last_status_id = ${nextStatusId({ id, isOrdered: sql.val(given.isOrdered) })},
      last_status_on = case when ${visibility} = 4 then last_status_on else greatest(last_status_on, (${now} at time zone 'UTC')::date) end
    where id = ${author} and exists (select 1 from head) and (select count(*) from replied) >= 0${parts.after(given)}
    returning ${ACCOUNT_COLUMNS}`
  })

/**
 * A post of now. A repeat of the id inserts nothing, and neither does an id whose key scheduled a status: the lock on the key makes a request that
 * comes second see the first.
 */
export const insertStatus = insertion<NewStatus>('publish.insert', {
  before: ({ id }) => sql`held as materialized (select is_scheduled from idempotency_key where status_id = ${id} for share)`,
  provided: () => sql`not exists (select 1 from held where is_scheduled) on conflict (id) do nothing`,
  beside: () => sql``,
  after: () => sql``,
})

/** A status of another server; a repeat of the uri inserts nothing. How many its author posted their server says. */
export const insertRemoteStatus = insertion<NewStatus>('publish.insert-remote', {
  before: ({ uri }) => sql`stored as materialized (select id from status where uri = ${uri})`,
  provided: () => sql`not exists (select 1 from stored) on conflict (id) do nothing`,
  beside: () => sql``,
  after: () => sql``,
})

/** The scheduled status that becomes the post, as someone read it. */
type Scheduled = { scheduledId: string; scheduledVersion: number; reservation: string | null }

/** The step of a repeated request that published a scheduled status. */
export const PUBLISH_SCHEDULED = 'publish-scheduled'

/**
 * The post that a scheduled status becomes, provided that it is still there as it was read: it is removed in the same statement, and its key
 * now stands for the post.
 */
export const insertScheduled = insertion<NewStatus & Scheduled>('publish.insert-scheduled', {
  before: ({ scheduledId, scheduledVersion }) =>
    sql`due as (delete from scheduled_status where id = ${scheduledId} and version = ${scheduledVersion} returning id)`,
  provided: () => sql`exists (select 1 from due)`,
  beside: ({ id, reservation }) => sql`,
    rekeyed as (update idempotency_key set status_id = ${id}, is_scheduled = false where status_id = (select id from due) returning key),
    completed as (
      insert into completed_step (reservation, step, result)
      select ${reservation}::text, ${sql.lit(PUBLISH_SCHEDULED)}, to_json(id::text)::text from head where ${reservation}::text is not null)`,
  after: () => sql` and (select count(*) from rekeyed) >= 0`,
})
