import { MAX_ID } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { follows, isMentioned, isNotDirectStatus, isPublicStatus, readersKeptApart } from '../../audience/index.ts'

/**
 * Whose home and which lists a status belongs in (beyond-the-spec 1.12; docs/feeds.md), as parts of statements: the one place that says so.
 * Placing, building, reading on behind what is stored and comparing are all made of these parts.
 */

type Part = RawBuilder<unknown>

/** What the rule asks of statuses, of those a query of ids gives. */
export const placed = (ids: Part): Part => sql`
  placed as materialized (
    select h.id, h.author_id, h.visibility, h.reblog_of_id, s.language, coalesce(o.author_id, h.author_id) origin_id,
      s.in_reply_to_account_id reply_to_id,
      s.in_reply_to_id is not null and not exists (select 1 from status_head where id = s.in_reply_to_id) is_orphan,
      array[h.author_id, coalesce(o.author_id, h.author_id)]
        || array(select account_id from mention where status_id = coalesce(h.reblog_of_id, h.id)) involved
    from status_head h join status s on s.id = h.id left join status_head o on o.id = h.reblog_of_id
    where h.id in (${ids}))`

/** Readers by id: those above `after`, up to and with `upTo`, of them `only` these unless it is null; `now` decides which mutes stand. */
export type Readers = { after: Part; upTo: Part; now: Part; only?: Part }

/** From the first id to the last. */
export const EVERYONE = { after: sql`0`, upTo: sql.raw(MAX_ID) }

const among = (column: string, { after, upTo, only }: Readers): Part => {
  const id = sql.raw(column)
  const chosen = only ? sql` and (${only}::bigint[] is null or ${id} = any(${only}::bigint[]))` : sql``
  return sql`${id} > ${after}::bigint and ${id} <= ${upTo}::bigint${chosen}`
}

/** Pairs kept apart by a block or mute: of the author, of whom they boost, of anyone mentioned; or by an author who blocks the reader. */
export const unwilling = (readers: Readers): Part => sql`
  unwilling as materialized (
    ${readersKeptApart('placed', (column) => among(column, readers), sql`${readers.now}::timestamptz`)})`

const isWilling = (reader: string) => sql`not exists (select 1 from unwilling u where u.id = p.id and u.account_id = ${sql.raw(reader)})`

/** What a follow carries regardless of the feed: boosts and languages as its options say, no replies to what is gone. */
const CARRIED = sql`(p.reblog_of_id is null or f.reblogs)
  and (f.languages is null or p.language is null or p.language = any(f.languages)) and not p.is_orphan`

/**
 * The pairs (account_id, id) of statuses and the homes they belong in, some of them twice: by a follow and by a tag. Of followers at most `most`, and those who tie with the last; accounts that
 * comes after them is for another statement, by the column `upTo` of `bound`.
 */
export const belonging = (readers: Readers, most: Part): Part => sql`${unwilling(readers)},
  followers as materialized (
    select target_id, account_id, reblogs, languages from follow
    where target_id = any(array(select distinct author_id from placed)) and ${among('account_id', readers)}
    -- With ties: someone who follows several of the authors is in one chunk with all of them.
    order by account_id fetch first (${most}::int) rows with ties),
  bound as materialized (
    select case when count(*) >= ${most}::int then max(account_id) else ${readers.upTo}::bigint end up_to, count(*) >= ${most}::int has_more
    from followers),
  kept_apart as materialized (
    select l.account_id, m.account_id member_id from list_member m join list l on l.id = m.list_id
    where l.is_exclusive and m.account_id = any(array(select distinct author_id from placed)) and ${among('l.account_id', readers)}),
  belonging as materialized (
    select f.account_id, p.id, p.reblog_of_id from placed p join followers f on f.target_id = p.author_id
    where ${CARRIED}
      and (${isNotDirectStatus('p')} or ${isMentioned('p.id', 'f.account_id')})
      and (p.reply_to_id is null or p.reply_to_id in (p.author_id, f.account_id)
        or ${follows('f.account_id', 'p.reply_to_id')})
      and not exists (select 1 from kept_apart k where k.account_id = f.account_id and k.member_id = p.author_id)
      and ${isWilling('f.account_id')}
    union all
    select t.account_id, p.id, p.reblog_of_id
    from placed p join status_tag s on s.status_id = p.id join tag_follow t on t.name = s.name
    where ${isPublicStatus('p')} and p.reblog_of_id is null and t.account_id <> p.author_id
      and ${among('t.account_id', readers)} and t.account_id <= (select up_to from bound) and ${isWilling('t.account_id')}
    union all
    select p.author_id, p.id, p.reblog_of_id from placed p
    where ${among('p.author_id', readers)} and p.author_id <= (select up_to from bound))`

/** The pairs (account_id, id) of statuses and the followers who asked for notifications of their authors' posts, as far as a follow carries it. */
export const announced = (readers: Readers): Part => sql`${unwilling(readers)},
  announced as materialized (
    select f.account_id, p.id, p.author_id from placed p join follow f on f.target_id = p.author_id and f.notify
    where ${CARRIED} and ${isWilling('f.account_id')})`

/**
 * The pairs (list_id, id) of statuses and the lists that show them, for the lists of a query that gives id, account_id (the owner) and
 * replies_policy: what their owners follow members for, but nothing direct; replies by the list's policy.
 */
export const listed = (lists: Part, readers: Readers): Part => sql`${unwilling(readers)},
  listed as materialized (
    select l.id list_id, l.account_id, p.id, p.reblog_of_id
    from (${lists}) l join list_member m on m.list_id = l.id join placed p on p.author_id = m.account_id
      join follow f on f.account_id = l.account_id and f.target_id = p.author_id
    where ${CARRIED} and ${isNotDirectStatus('p')}
      and (p.reply_to_id is null or p.reply_to_id in (p.author_id, l.account_id)
        or (l.replies_policy = 'followed' and ${follows('l.account_id', 'p.reply_to_id')})
        or (l.replies_policy = 'list' and exists (select 1 from list_member where list_id = l.id and account_id = p.reply_to_id)))
      and ${isWilling('l.account_id')})`

/** The lists of these owners, as `listed` takes them. */
export const listsOf = (ownerIds: readonly string[]): Part =>
  sql`select id, account_id, replies_policy from list where account_id = any(${ownerIds}::bigint[])`

/** These owners as readers. */
export const ownersAmong = (ownerIds: readonly string[], now: Date): Readers => ({
  ...EVERYONE,
  now: sql`${now}`,
  only: sql`${ownerIds}`,
})
