import type { QuotePolicy } from '@rookery/contracts/statuses'
import { arrayLiteral, type Database, prepared, sharedQuery } from '@rookery/database'
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
import type { StatusesTables } from '../../database/schema.ts'
import type { StoredOrigin } from '../../database/tables/status.ts'

/** The data that a post is validated against. */
export type PreparationRow = {
  /** The id that its key already created. */
  madeByKey: string | null
  /** Whether the author has moved. */
  hasMoved: boolean
  parent: ParentRow | null
  quoted: QuotedRow | null
  /** Null if unset. */
  defaultQuotePolicy: string | null
  username: string
  locked: boolean
  defaultPrivacy: number | null
  defaultSensitive: boolean
  defaultLanguage: string | null
  locale: string | null
  isSilenced: boolean
  /** Whether the author has a staff role. */
  isStaff: boolean
  createdAt: Date
  mentioned: MentionedRow[] | null
  /** The version of the author's context, if they have filters. */
  contextVersion: number | null
  /** The tags in the text that staff disabled for new statuses. */
  unusableTags: string[]
}

/** The parent; if that is a boost, the boosted status. */
export type ParentRow = {
  id: string
  authorId: string
  maySee: boolean
  isDirect: boolean
  /** Whether the author muted the thread. */
  isMuted: boolean
}

/** The quoted status; if that is a boost, the boosted status. */
export type QuotedRow = {
  id: string
  authorId: string
  visibility: number
  quotePolicy: QuotePolicy
  isLocal: boolean
  maySee: boolean
  hasBlock: boolean
  /** Whether the quoting author follows its author. */
  isFollowed: boolean
  /** When that began, in milliseconds since 1970; null if not. */
  followedSince: number | null
  /** Whether its author follows the quoting author. */
  followsAuthor: boolean
  mayNotify: boolean
}

/** A mentioned account, and its relationship to the author. */
export type MentionedRow = {
  id: string
  username: string
  /** Null for local accounts. */
  origin?: StoredOrigin | null
  hasBlock: boolean
  mayNotify: boolean
  followsAuthor: boolean
  /** When the author began to follow them, in milliseconds since 1970; null if the author does not. */
  followedSince: number | null
}

type Asked = Naming & {
  authorId: string
  parentId: string | null
  quotedId: string | null
  tags: readonly string[]
  now: Date
  key: string | null
  /** The time from which keys are valid. */
  keysSince: Date
}

/** The CTE of the status that an author wants to quote. */
export const quotedPart = (quotedId: unknown, author: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    quoted as materialized (
      select q.id, q.author_id, q.thread_id, q.visibility, q.quote_policy, q.is_local, ${isVisibleTo('named', author)} and ${isVisibleTo('q', author)} may_see
      from status_head named join status_head q on q.id = coalesce(named.reblog_of_id, named.id) where named.id = ${quotedId})`

/** The `quoted` CTE as a QuotedRow in JSON. */
export const quotedJson = (author: RawBuilder<unknown>, now: RawBuilder<unknown>): RawBuilder<unknown> => sql`
      (select json_build_object('id', id::text, 'authorId', author_id::text, 'visibility', visibility, 'quotePolicy', quote_policy,
         'isLocal', is_local, 'maySee', may_see, 'hasBlock', ${hasBlockBetween('q.author_id', author)},
         'isFollowed', ${follows(author, 'q.author_id')}, 'followedSince', ${followsSince(author, 'q.author_id')},
         'followsAuthor', ${follows('q.author_id', author)},
         'mayNotify', ${mayNotify({ recipient: 'q.author_id', actor: author, thread: 'q.thread_id', now })}) from quoted q)`

/** Lists as text: posts that share a statement have one list each. */
type Lists = keyof Naming | 'tags'
type AskedTogether = Omit<Asked, Lists> & Record<Lists, string>

const TYPES = {
  authorId: 'bigint',
  parentId: 'bigint',
  quotedId: 'bigint',
  tags: 'text',
  now: 'timestamptz',
  key: 'text',
  keysSince: 'timestamptz',
  usernames: 'text',
  remoteUsernames: 'text',
  remoteDomains: 'text',
  handles: 'text',
} as const satisfies Record<keyof AskedTogether, string>

/** Starting this statement costs ten times as much as validating one more post. */
const PATIENCE_MILLISECONDS = 10

const preparation = (given: AskedTogether) => {
  const [author, now] = [sql.val(given.authorId), sql.val(given.now)]
  return sql<PreparationRow>`
    with parent as materialized (
      select p.id, p.author_id, p.thread_id, not ${isNotDirectStatus('p')} is_direct,
        ${isVisibleTo('named', author)} and ${isVisibleTo('p', author)} may_see
      from status_head named join status_head p on p.id = coalesce(named.reblog_of_id, named.id) where named.id = ${given.parentId}),
    ${quotedPart(given.quotedId, author)},
    mentioned as materialized (${mentionable(given)}),
    addressed as (select id from mentioned where not ${hasBlockBetween('mentioned.id', author)})
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
           and not ${blocks('m.id', 'any(array(select id from addressed union all select author_id from parent))')},
         'followsAuthor', ${follows('m.id', author)},
         'followedSince', ${followsSince(author, 'm.id')})
         order by ${placeOf(sql`m.handle`, given)})
       from mentioned m) mentioned,
      case when exists (select 1 from filter where account_id = ${author}) then context_version end context_version,
      ${unusableTags(sql`${given.tags}::text[]`)} unusable_tags
    from account where id = ${author}`
}

const readPreparation = sharedQuery('publish.prepare', TYPES, preparation, { patience: PATIENCE_MILLISECONDS })

/** Reads the data that a post is validated against; concurrent posts share the statement. */
export const prepare = (
  database: Database<StatusesTables>,
  { usernames, remoteUsernames, remoteDomains, handles, tags, ...asked }: Asked,
) =>
  readPreparation(database, {
    ...asked,
    usernames: arrayLiteral(usernames),
    remoteUsernames: arrayLiteral(remoteUsernames),
    remoteDomains: arrayLiteral(remoteDomains),
    handles: arrayLiteral(handles),
    tags: arrayLiteral(tags),
  })

type Reservation = { authorId: string; key: string; id: string }
type Reserving = { authorIds: readonly string[]; keys: readonly string[]; ids: readonly string[]; now: Date; since: Date }

/** Reserves ids for keys of accounts, each key once; returns the ids already reserved since a time. */
export const reserveIds = prepared(
  'publish.reserve-ids',
  ({ authorIds, keys, ids, now, since }: Reserving) => sql<{ accountId: string; key: string; statusId: string }>`
    insert into idempotency_key (account_id, key, status_id, created_at)
    select account_id, key, status_id, ${now}::timestamptz
    from unnest(${authorIds}::bigint[], ${keys}::text[], ${ids}::bigint[]) asked (account_id, key, status_id)
    -- In one order, so that concurrent statements wait for each other instead of deadlocking.
    order by account_id, key
    on conflict (account_id, key) do update set
      status_id = case when idempotency_key.created_at < ${since} then excluded.status_id else idempotency_key.status_id end,
      is_scheduled = idempotency_key.is_scheduled and idempotency_key.created_at >= ${since},
      created_at = case when idempotency_key.created_at < ${since} then excluded.created_at else idempotency_key.created_at end
    returning account_id, key, status_id`,
)

/** Deletes the reservation of an id, if no status or scheduled status of the account has it. */
export const releaseId = prepared(
  'publish.release-id',
  ({ authorId, key, id }: Reservation) => sql<never>`
    delete from idempotency_key where account_id = ${authorId} and key = ${key} and status_id = ${id}
    and not exists (select 1 from status_head where id = ${id} and author_id = ${authorId})
    and not exists (select 1 from scheduled_status where id = ${id} and account_id = ${authorId})`,
)

/** Returns a row if an account has a scheduled status with this id. */
export const isScheduled = prepared('publish.is-scheduled', ({ id, authorId }: Pick<Reservation, 'id' | 'authorId'>) =>
  query.selectFrom('scheduledStatus').select('id').where('id', '=', id).where('accountId', '=', authorId),
)
