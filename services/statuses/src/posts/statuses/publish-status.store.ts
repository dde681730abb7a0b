import { sqlText, statement } from '@rookery/database'
import { blocks, follows, hasBlockBetween, isVisibleTo, mayNotify, mutesThread } from '../../audience/index.ts'
import { ACCOUNT_COLUMNS, type AccountRow } from '../../views/index.ts'
import { nextStatusId } from './posting-order.ts'

/**
 * What a key made already, whether the author is elsewhere now, the status replied to, the author's defaults, the people mentioned with what stands between them and the author,
 * and the version of the author's context when they filter anything.
 */
export type PreparationRow = [
  madeByKey: string | null,
  hasMoved: boolean,
  parent: ParentRow | null,
  username: string,
  locked: boolean,
  defaultPrivacy: number | null,
  defaultSensitive: boolean,
  defaultLanguage: string | null,
  locale: string | null,
  isSilenced: boolean,
  createdAt: Date,
  mentioned: MentionedRow[] | null,
  filtering: number | null,
]

/** The status replied to; for a boost the status it boosts. */
export type ParentRow = {
  id: string
  authorId: string
  maySee: boolean
  /** The author muted the thread. */
  isMuted: boolean
}

/** A mentioned person. */
export type MentionedRow = {
  id: string
  username: string
  hasBlock: boolean
  mayNotify: boolean
  followsAuthor: boolean
  isFollowed: boolean
}

/** $1 author, $2 parent or null, $3 lower-case usernames in the order of the text, $4 now, $5 idempotency key or null, $6 since when keys count. */
export const prepare = statement<PreparationRow>(
  'publish.prepare',
  sqlText`with parent as materialized (
     select p.id, p.author_id, p.thread_id, ${isVisibleTo('named', '$1')} and ${isVisibleTo('p', '$1')} may_see
     from status_head named join status_head p on p.id = coalesce(named.reblog_of_id, named.id) where named.id = $2),
   mentioned as materialized (select id, username from account
     where is_active and not is_suspended and lower(username) = any($3::text[]))
   select (select status_id from idempotency_key k where k.account_id = $1 and k.key = $5 and k.created_at >= $6
        and exists (select 1 from status_head where id = k.status_id union all select 1 from scheduled_status where id = k.status_id)),
    moved_to_id is not null,
    (select json_build_object('id', id::text, 'authorId', author_id::text, 'maySee', may_see,
        'isMuted', ${mutesThread('$1', 'parent.thread_id')}) from parent),
    username, locked, default_privacy, default_sensitive, default_language, locale, is_silenced, created_at,
    (select json_agg(json_build_object('id', m.id::text, 'username', m.username,
        'hasBlock', ${hasBlockBetween('m.id', '$1')},
        'mayNotify', ${mayNotify({ recipient: 'm.id', actor: '$1', thread: '(select thread_id from parent)', now: '$4' })}
          and not ${blocks('m.id', 'any(array(select id from mentioned union all select author_id from parent))')},
        'followsAuthor', ${follows('m.id', '$1')},
        'isFollowed', ${follows('$1', 'm.id')})
        order by array_position($3::text[], lower(m.username)))
     from mentioned m),
    case when exists (select 1 from filter where account_id = $1) then context_version end
   from account where id = $1`,
)

/** Reserves the id $3 for a key of an account at $4, or answers with the one reserved since $5. */
export const reserveId = statement<[statusId: string]>(
  'publish.reserve-id',
  `insert into idempotency_key (account_id, key, status_id, created_at) values ($1, $2, $3, $4)
   on conflict (account_id, key) do update set
     status_id = case when idempotency_key.created_at < $5 then excluded.status_id else idempotency_key.status_id end,
     is_scheduled = idempotency_key.is_scheduled and idempotency_key.created_at >= $5,
     created_at = case when idempotency_key.created_at < $5 then excluded.created_at else idempotency_key.created_at end
   returning status_id`,
)

/** Gives back an id reserved for a key ($2) of an account ($1) that made nothing of that account's. */
export const releaseId = statement<[]>(
  'publish.release-id',
  `delete from idempotency_key where account_id = $1 and key = $2 and status_id = $3
   and not exists (select 1 from status_head where id = $3 and author_id = $1)
   and not exists (select 1 from scheduled_status where id = $3 and account_id = $1)`,
)

/** A row when $1 is a scheduled status of account $2. */
export const isScheduled = statement<[id: string]>(
  'publish.is-scheduled',
  'select id from scheduled_status where id = $1 and account_id = $2',
)

/** Parts of a statement: what comes before the head, on what it depends, what else is written, and what the account waits for. */
type Parts = { before: string; provided: string; beside: string; after: string }

/**
 * Everything a post changes, in one statement: the head decides (when it is not inserted nothing is), the others hang on it. Answers with
 * the author's account as it now is, or with nothing. Rows that others write too are locked in the order of all writers: heads of
 * statuses, accounts, then new tags by name. Where $31 is true it fails when the author has published a higher id (`isOvertaken`).
 */
const insertion = (name: string, parts: Parts) =>
  statement<AccountRow>(
    name,
    `with ${parts.before},
   head as (
     insert into status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
     select $1::bigint, $2::bigint, $3::smallint, $4::boolean, $5::boolean, $6::boolean,
       coalesce((select thread_id from status_head where id = $12), $1::bigint) where ${parts.provided}
     returning id),
   body as (
     insert into status (id, author_id, text, spoiler_text, sensitive, language, content, in_reply_to_id, in_reply_to_account_id, created_at,
       application_name, application_website, mentions, tags, attachments, emojis)
     select id, $2, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17::jsonb, $18::text[], $19::jsonb, $30::jsonb from head),
   own_feed as (insert into feed (account_id, status_id) select $2, id from head),
   mentioned as (insert into mention (status_id, account_id) select head.id, person from head, unnest($20::bigint[]) person),
   named as (
     insert into tag (name, display, created_at) select name, display, $14 from head, unnest($18::text[], $21::text[]) as t (name, display)
     order by name on conflict (name) do nothing),
   tagged as (insert into status_tag (name, status_id, author_id, is_open) select name, head.id, $2, $3 <= 2 from head, unnest($18::text[]) name),
   replied as (update status_head set replies = replies + 1 where id = $12 and $3 <= 2 and exists (select 1 from head) returning id),
   asked as (
     insert into poll (status_id, expires_at, is_multiple, hides_totals, options, votes)
     select id, $25, $26, $27, $28::text[], $29::integer[] from head where $25::timestamptz is not null),
   events as (
     insert into outbox (topic, key, envelope) select topic, key, envelope from head, unnest($22::text[], $23::text[], $24::bytea[])
       as event (topic, key, envelope))${parts.beside}
   update account set version = version + 1, statuses_count = statuses_count + case when $3 = 4 then 0 else 1 end,
     last_status_id = ${nextStatusId({ id: '$1', isOrdered: '$31' })},
     last_status_on = case when $3 = 4 then last_status_on else greatest(last_status_on, ($14::timestamptz at time zone 'UTC')::date) end
   where id = $2 and exists (select 1 from head) and (select count(*) from replied) >= 0${parts.after}
   returning ${ACCOUNT_COLUMNS}`,
  )

/**
 * A post of now. A repeat of the id inserts nothing, and neither does an id whose key scheduled a status: the lock on the key makes whoever
 * comes second see the first.
 */
export const insertStatus = insertion('publish.insert', {
  before: 'held as materialized (select is_scheduled from idempotency_key where status_id = $1 for share)',
  provided: 'not exists (select 1 from held where is_scheduled) on conflict (id) do nothing',
  beside: '',
  after: '',
})

/**
 * The post that the scheduled status $32 becomes, provided that it is still there as version $33: it is removed in the same statement, and
 * its key now stands for the post.
 */
export const insertScheduled = insertion('publish.insert-scheduled', {
  before: 'due as (delete from scheduled_status where id = $32 and version = $33 returning id)',
  provided: 'exists (select 1 from due)',
  beside: `,
   rekeyed as (update idempotency_key set status_id = $1, is_scheduled = false where status_id = (select id from due) returning key)`,
  after: ' and (select count(*) from rekeyed) >= 0',
})
