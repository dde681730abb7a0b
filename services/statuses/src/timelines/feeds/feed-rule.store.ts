import { hasAny, hasRow, MAX_ID, type Order } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { follows, isKeptFromReader, isMentioned, isNotDirectStatus, isPublicStatus, readersKeptApart } from '../../audience/index.ts'

/**
 * The rule of feeds: in which homes and lists a status belongs (beyond-the-spec 1.12; docs/feeds.md), as parts of statements, defined only
 * here. Placing, building, reading below the floor and comparing are composed of these parts.
 */

type Part = RawBuilder<unknown>

/** Authors with pulled statuses: few, and if there are none nothing else is looked up. */
const PULLED_AUTHORS = sql`any(array(select account_id from pulled_author))`

/** Whether a status, by its author and id, is pulled: found when a home is read, instead of written to it. */
export const isPulled = (author: Part, id: Part): Part =>
  sql`(${author} = ${PULLED_AUTHORS} and ${hasRow(sql`from pulled_author where account_id = ${author} and since_id < ${id}`)})`

/** A query of the authors with pulled statuses that an account follows. */
export const pulledAuthorsOf = (reader: Part): Part =>
  sql`select target_id key from follow where account_id = ${reader} and target_id = ${PULLED_AUTHORS}`

/** How a follow brings statuses to a home: `written` to it, `pulled` when it is read, or `either`. */
export type Way = 'written' | 'pulled' | 'either'
const WAYS: Readonly<Record<Way, Part>> = { written: sql`not p.is_pulled`, pulled: sql`p.is_pulled`, either: sql`true` }

/**
 * The columns that the rule needs of a status: of its row `h` of status_head, and of the rows that `beside` joins to it. A reply to an unknown status
 * is an orphan, like one whose parent was deleted.
 */
const ASKED = sql`h.id, h.author_id, h.visibility, h.reblog_of_id, h.is_local, s.language, coalesce(o.author_id, h.author_id) origin_id,
      s.in_reply_to_account_id reply_to_id,
      ${isPulled(sql.raw('h.author_id'), sql.raw('h.id'))} is_pulled,
      case when s.in_reply_to_id is null then h.is_reply_to_other else not ${hasRow(sql`from status_head where id = s.in_reply_to_id`)} end is_orphan,
      array[h.author_id, coalesce(o.author_id, h.author_id)]
        || array(select account_id from mention where status_id = coalesce(h.reblog_of_id, h.id)) involved`

/** Joins to a row `h` its row `s` of status, read only if languages count or the status is a reply, and the row `o` of the boosted status. */
const beside = (languagesCount: Part): Part => sql`left join lateral (
      select language, in_reply_to_id, in_reply_to_account_id from status
      where id = h.id and (h.thread_id <> h.id or h.is_reply_to_other or ${languagesCount}) offset 0) s on true
    left join lateral (select author_id from status_head where id = h.reblog_of_id offset 0) o on true`

/** These columns for the statuses of a query of ids, except remote ones that were only fetched on request. */
export const placed = (ids: Part): Part => sql`placed as materialized (
    select ${ASKED} from status_head h ${beside(sql`true`)} where h.id = any(array(${ids})) and not h.is_fetched)`

/** All readers, or those with ids above `after` up to `upTo`; `now` decides which mutes are active. */
type ManyReaders = { range?: { after: Part; upTo: Part }; now: Part }
/** Some readers by id. */
type SomeReaders = { some: Part; now: Part }
export type Readers = ManyReaders | SomeReaders

/** No limit of followers in `belonging`. */
export const NO_LIMIT: Part = sql.raw('2147483647')

const among = (column: string, readers: Readers): Part => {
  const id = sql.raw(column)
  if ('some' in readers) return sql`${id} = any(${readers.some}::bigint[])`
  const { range } = readers
  return range ? sql`${id} > ${range.after}::bigint and ${id} <= ${range.upTo}::bigint` : sql`true`
}

/** The pairs of status and reader kept apart by a block or mute (`readersKeptApart`). */
export const unwilling = (readers: Readers): Part => sql`
  unwilling as materialized (${readersKeptApart('placed', (column) => among(column, readers), sql`${readers.now}::timestamptz`)})`

/**
 * Whether a pair of columns is among the rows of a CTE. As arrays, which the planner assumes to be short, they are hashed; a subquery it would sort,
 * or read again for each pair.
 */
const isPairOf = (pair: string, named: string, [one, other]: readonly [string, string]) =>
  sql.raw(`(${pair}) in (select * from unnest(array(select ${one} from ${named}), array(select ${other} from ${named})))`)

const isWilling = (reader: string) => sql`not ${isPairOf(`p.id, ${reader}`, 'unwilling', ['id', 'account_id'])}`

/**
 * Whether the home of a row `b` of belonging takes it: not an evicted home, nor below a home's floor. The few homes that may refuse something are
 * found in one query, and only those are looked up for each row.
 */
export const TAKEN_BY_HOME = sql`(
  b.account_id not in (
    select account_id from home where account_id = any(array(select account_id from belonging))
      and (is_resting or floor_id > (select min(id) from placed)))
  or ${hasRow(sql`from home where account_id = b.account_id and not is_resting and b.id >= floor_id`)})`

/**
 * Whether a row `b` of belonging, of a status `p`, is shown at home: a boost only if it is stored there, also at home of who boosted, as entries nearby
 * decide about it.
 */
export const IS_SHOWN_AT_HOME = sql`((b.reblog_of_id is null and (b.account_id = p.author_id or ${TAKEN_BY_HOME}))
      or (b.reblog_of_id is not null and ${hasRow(sql`from feed where account_id = b.account_id and status_id = b.id`)}))`

/** Whether a follow `f` allows a status `p`, in every feed: by its options for boosts and languages, and no orphans. */
const CARRIED = sql`(p.reblog_of_id is null or f.reblogs)
  and (f.languages is null or p.language is null or p.language = any(f.languages)) and not p.is_orphan`

/** Whether a follow brings a status to a home, apart from exclusive lists, blocks and mutes. */
const BROUGHT = sql`${CARRIED}
      and (${isNotDirectStatus('p')} or ${isMentioned('p.id', 'f.account_id')})
      and (p.reply_to_id is null or p.reply_to_id in (p.author_id, f.account_id)
        or ${follows('f.account_id', 'p.reply_to_id')})`

/** Whether a followed tag may bring a status to a home, apart from the author's own home, blocks and mutes. */
const MAY_COME_BY_TAG = sql`${isPublicStatus('p')} and p.reblog_of_id is null`

/** Whether a follow `f` brings a status to a list `l`, apart from blocks and mutes. */
const LISTED = sql`${CARRIED} and ${isNotDirectStatus('p')}
      and (p.reply_to_id is null or p.reply_to_id in (p.author_id, l.account_id)
        or (l.replies_policy = 'followed' and ${follows('l.account_id', 'p.reply_to_id')})
        or (l.replies_policy = 'list' and ${hasRow(sql`from list_member where list_id = l.id and account_id = p.reply_to_id`)}))`

/** The pairs of readers and authors on their exclusive lists: found by the lists of few readers, or by the authors' memberships. */
const exclusivelyListed = (readers: Readers): Part => {
  const authors = sql`array(select distinct author_id from placed)`
  if ('some' in readers) {
    return sql`select l.account_id, m.account_id member_id from list l
      cross join lateral (select account_id from list_member where list_id = l.id and account_id = any(${authors}) offset 0) m
      where ${among('l.account_id', readers)} and l.is_exclusive`
  }
  return sql`select l.account_id, m.account_id member_id from list_member m
    cross join lateral (select account_id, is_exclusive from list where id = m.list_id offset 0) l
    where l.is_exclusive and m.account_id = any(${authors}) and ${among('l.account_id', readers)}`
}

/**
 * The pairs (account_id, id) of statuses and the homes they belong in; a pair may occur twice, by a follow and by a tag. Takes at most `max`
 * followers, and those who tie with the last; another statement takes the accounts after `up_to` of `bound`. `way` applies only to follows: statuses
 * by a tag, and an author's own, are always written.
 */
export const belonging = (readers: Readers, max: Part, way: Way): Part => sql`${unwilling(readers)},
  followers as materialized (
    select f.* from (select distinct author_id from placed p where ${WAYS[way]}) p cross join lateral (
      select target_id, account_id, reblogs, languages from follow where target_id = p.author_id and is_local and ${among('account_id', readers)}
      order by account_id limit ${max}) f
    -- With ties: an account that follows several of the authors is in one chunk with all of them.
    order by account_id fetch first (${max}::int) rows with ties),
  bound as materialized (
    select case when count(*) >= ${max}::int then max(account_id) else ${sql.raw(MAX_ID)}::bigint end up_to, count(*) >= ${max}::int has_more
    from followers),
  kept_apart as materialized (${exclusivelyListed(readers)}),
  belonging as materialized (
    select f.account_id, p.id, p.reblog_of_id from placed p join followers f on f.target_id = p.author_id
    where ${WAYS[way]} and ${BROUGHT}
      and not ${isPairOf('f.account_id, p.author_id', 'kept_apart', ['account_id', 'member_id'])}
      and ${isWilling('f.account_id')}
    union all
    select t.account_id, p.id, p.reblog_of_id
    from placed p cross join lateral (select name from status_tag where status_id = p.id offset 0) s
    cross join lateral (
      select account_id from tag_follow where name = s.name and ${among('account_id', readers)} and account_id <= (select up_to from bound) offset 0) t
    where ${MAY_COME_BY_TAG} and t.account_id <> p.author_id and ${isWilling('t.account_id')}
    union all
    select p.author_id, p.id, p.reblog_of_id from placed p
    where p.is_local and ${among('p.author_id', readers)} and p.author_id <= (select up_to from bound))`

/** The pairs (account_id, id) of statuses and followers who asked for notifications of their author's posts, if the follow allows the status. */
export const announced = (readers: Readers): Part => sql`${unwilling(readers)},
  announced as materialized (
    select f.account_id, p.id, p.author_id from placed p
    cross join lateral (select account_id, reblogs, languages from follow where target_id = p.author_id and notify offset 0) f
    where ${CARRIED} and ${isWilling('f.account_id')})`

/**
 * The pairs (list_id, id) of statuses and the lists that show them (`LISTED`). The query `lists` has the columns id, account_id (the owner) and
 * replies_policy.
 */
export const listed = (lists: Part, readers: Readers): Part => sql`${unwilling(readers)},
  asked_list as materialized (${lists}),
  listed as materialized (
    select l.id list_id, l.account_id, p.id, p.reblog_of_id
    from placed p
    cross join lateral (
      select list_id from list_member where account_id = p.author_id and list_id = any(array(select id from asked_list)) offset 0) m
    join asked_list l on l.id = m.list_id
    cross join lateral (select reblogs, languages from follow where account_id = l.account_id and target_id = p.author_id offset 0) f
    where ${LISTED} and ${isWilling('l.account_id')})`

/** One reader, for whom candidates are checked one after the other until enough belong. */
type Reader = { reader: Part; now: Part; order: Order; limit: Part }

/** Each status of the CTE `part`, in order, as `p`, with the reader's follow of its author as `f` if there is one. */
const lookedThrough = ({ reader }: Reader): Part => sql`
    from part cross join lateral (
      select id, author_id, visibility, reblog_of_id, is_local, is_reply_to_other, thread_id from status_head
      where id = part.id and not is_fetched offset 0) h
    left join lateral (select account_id, is_local, reblogs, languages from follow
      where account_id = ${reader}::bigint and target_id = h.author_id offset 0) f on true
    ${beside(sql`f.languages is not null`)} cross join lateral (select ${ASKED}) p`

/** The first `limit` statuses of `part` that belong in the reader's home. */
export const atHome = (given: Reader, way: Way): Part => {
  const reader = sql`${given.reader}::bigint`
  const isKeptApart = hasRow(
    sql`from list_member where account_id = p.author_id and list_id = any(array(select id from list where account_id = ${reader} and is_exclusive))`,
  )
  const hasTag = hasRow(
    sql`from (select name from status_tag where status_id = p.id offset 0) s
      where ${hasRow(sql`from tag_follow where account_id = ${reader} and name = s.name`)}`,
  )
  const followsTags = hasAny(sql`from tag_follow where account_id = ${reader}`)
  return sql`select p.id, p.reblog_of_id ${lookedThrough(given)}
    where (p.author_id = ${reader} and p.is_local) or ((
        (f.is_local and ${WAYS[way]} and ${BROUGHT} and not ${isKeptApart})
        or (${followsTags} and ${MAY_COME_BY_TAG} and ${hasTag}))
      and not ${isKeptFromReader('p', reader, sql`${given.now}::timestamptz`)})
    order by part.id ${sql.raw(given.order)} limit ${given.limit}`
}

/** The first `limit` statuses of `part` (by members) that a list of the reader shows. `list` is a query of this one list, as `listed` takes it. */
export const onList = (given: Reader, list: Part): Part => sql`with l as materialized (${list})
    select p.id, p.reblog_of_id ${lookedThrough(given)} cross join l
    where f.account_id is not null and ${LISTED}
      and not ${isKeptFromReader('p', sql`${given.reader}::bigint`, sql`${given.now}::timestamptz`)}
    order by part.id ${sql.raw(given.order)} limit ${given.limit}`

/** The lists of these owners, as `listed` takes them. */
export const listsOf = (ownerIds: readonly string[]): Part =>
  sql`select id, account_id, replies_policy from list where account_id = any(${ownerIds}::bigint[])`

/** These owners as readers. */
export const ownersAmong = (ownerIds: readonly string[], now: Date): Readers => ({ some: sql`${ownerIds}`, now: sql`${now}` })
