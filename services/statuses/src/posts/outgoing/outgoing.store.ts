import { prepared } from '@rookery/database'
import { sql } from 'kysely'
import { interactors, isNotDirectStatus, isNotSuspended, isOpenStatus, isThere, isVisibleTo } from '../../audience/index.ts'

/** The data of an account's uri; domain and uri are null for local accounts. */
export type AccountPlace = { id: string; username: string; domain: string | null; uri: string | null }

/** Accounts by id; deleted ones are left out. */
export const readAccountPlaces = prepared(
  'outgoing.accounts',
  ({ ids }: { ids: readonly string[] }) => sql<AccountPlace>`
    select id, username, domain, uri from account where id = any(${ids}::bigint[]) and closed_at is null`,
)

/** The data of a status's uri; uri is null for local statuses. */
export type StatusPlace = { id: string; authorId: string; username: string; uri: string | null; isLocal: boolean; isBoost: boolean }

/** Statuses by id; deleted ones are left out. */
export const readStatusPlaces = prepared(
  'outgoing.statuses',
  ({ ids }: { ids: readonly string[] }) => sql<StatusPlace>`
    select h.id, h.author_id, a.username, s.uri, h.is_local, h.reblog_of_id is not null is_boost
    from status_head h cross join lateral (select uri from status where id = h.id offset 0) s
    cross join lateral (select username from account where id = h.author_id offset 0) a
    where h.id = any(${ids}::bigint[])`,
)

/** A status's quote policy and its quote; quotedId is null if there is no quote, or the quoted status is deleted. */
export type OutgoingQuote = {
  quotePolicy: number
  state: number | null
  authorizationUri: string | null
  quotedId: string | null
  quotedAuthorId: string | null
  quotedUsername: string | null
  quotedUri: string | null
  isQuotedLocal: boolean | null
}

/** No row if the status is deleted. */
export const readOutgoingQuote = prepared(
  'outgoing.quote',
  ({ id }: { id: string }) => sql<OutgoingQuote>`
    select h.quote_policy, q.state, q.authorization_uri, o.id quoted_id, o.author_id quoted_author_id, o.username quoted_username,
      o.uri quoted_uri, o.is_local is_quoted_local
    from status_head h
    left join lateral (select state, quoted_id, authorization_uri from quote where status_id = h.id offset 0) q on true
    left join lateral (
      select quoted.id, quoted.author_id, quoted.is_local, a.username, s.uri
      from (select id, author_id, is_local from status_head where id = q.quoted_id offset 0) quoted
      cross join lateral (select username from account where id = quoted.author_id offset 0) a
      cross join lateral (select uri from status where id = quoted.id offset 0) s) o on true
    where h.id = ${id}`,
)

/** A part of a status's remote audience: everyone up to `upTo`. */
type AudiencePart = { ids: string[]; upTo: string; hasMore: boolean }

/**
 * The remote recipients of a status with ids above `after`, up to that of the last of `limit` followers: mentioned accounts, the author of the
 * parent, of the quoted and of the boosted status, the author's followers unless it is direct, and some who boosted, favourited or answered it; of
 * these, those who may see the status and the boosted one.
 */
export const readAudiencePart = prepared(
  'outgoing.audience',
  ({ statusId, after, limit }: { statusId: string; after: string; limit: number }) => sql<AudiencePart>`
    with sent as materialized (
      select h.id, h.author_id, h.visibility, h.reblog_of_id, s.in_reply_to_account_id answered_id
      from status_head h cross join lateral (select in_reply_to_account_id from status where id = h.id offset 0) s
      where h.id = ${statusId} and h.is_local),
    boosted as materialized (
      select o.id, o.author_id, o.visibility from sent cross join lateral (
        select id, author_id, visibility from status_head where id = sent.reblog_of_id offset 0) o),
    follower as materialized (
      select f.account_id id from sent cross join lateral (
        select account_id from follow where target_id = sent.author_id and not is_local and account_id > ${after} and ${isNotDirectStatus('sent')}
        order by account_id limit ${limit}) f),
    bound as materialized (
      select case when count(*) >= ${limit}::int then max(id) else 9223372036854775807 end up_to, count(*) >= ${limit}::int has_more from follower),
    quoted as materialized (
      select o.author_id from sent cross join lateral (select quoted_id from quote where status_id = sent.id offset 0) q
      cross join lateral (select author_id from status_head where id = q.quoted_id offset 0) o),
    candidate as materialized (
      select id from follower
      union select m.account_id from sent cross join lateral (select account_id from mention where status_id = sent.id offset 0) m
      union select answered_id from sent where answered_id is not null
      union select author_id from boosted
      union select author_id from quoted
      union select i.account_id from sent cross join lateral (${interactors('sent.id')}) i)
    select bound.up_to, bound.has_more, array(
      select p.id::text from candidate cross join lateral (
        select id, domain, is_suspended, closed_at from account where id = candidate.id offset 0) p
      cross join sent left join boosted on true
      where p.domain is not null and ${isNotSuspended('p')} and p.closed_at is null and p.id > ${after} and p.id <= bound.up_to and ${isVisibleTo('sent', 'p.id')} and (boosted.id is null or ${isVisibleTo('boosted', 'p.id')})
      order by p.id) ids
    from bound`,
)

/** A public or unlisted reply. */
type OpenReply = { id: string; username: string; uri: string | null }

/** The oldest public and unlisted replies to a status. */
export const readOpenReplies = prepared(
  'outgoing.replies',
  ({ statusId, limit }: { statusId: string; limit: number }) => sql<OpenReply>`
    select h.id, a.username, s.uri from (
      select id, uri from status where in_reply_to_id = ${statusId} order by id limit ${limit}) s
    cross join lateral (select id, author_id, visibility from status_head where id = s.id offset 0) h
    cross join lateral (select username, is_suspended, closed_at from account where id = h.author_id offset 0) a
    where ${isOpenStatus('h')} and ${isNotSuspended('a')} and a.closed_at is null order by h.id`,
)

/** The number of a local account's statuses; no row if it is deleted, hidden or remote. */
export const readOutboxTotal = prepared(
  'outgoing.outbox-total',
  ({ accountId }: { accountId: string }) => sql<{ total: number }>`
    select statuses_count total from account
    where id = ${accountId} and domain is null and ${isThere()} and ${isNotSuspended()}`,
)

/** The latest statuses and boosts of an account, below an id, and whether everyone may see them. */
export const readOutboxRows = prepared(
  'outgoing.outbox',
  ({ accountId, below, limit }: { accountId: string; below: string; limit: number }) => sql<{ id: string; isOpen: boolean }>`
    select h.id, ${isOpenStatus('h')} and (h.reblog_of_id is null or coalesce(o.is_open, false)) is_open
    from (select id, visibility, reblog_of_id from status_head where author_id = ${accountId} and id < ${below} order by id desc limit ${limit}) h
    left join lateral (
      select ${isOpenStatus('original')} and ${isNotSuspended('a')} is_open
      from (select author_id, visibility from status_head where id = h.reblog_of_id offset 0) original
      cross join lateral (select is_suspended from account where id = original.author_id offset 0) a) o on true
    order by h.id desc`,
)

/** The pinned statuses of a local account that everyone may see, latest first. */
export const readFeaturedPlaces = prepared(
  'outgoing.featured',
  ({ accountId }: { accountId: string }) => sql<{ id: string; username: string; uri: null }>`
    select h.id, a.username, null uri from pin p
    cross join lateral (select id, visibility from status_head where id = p.status_id offset 0) h
    cross join lateral (select username, domain, is_suspended, closed_at from account where id = p.account_id offset 0) a
    where p.account_id = ${accountId} and ${isOpenStatus('h')} and a.domain is null and ${isNotSuspended('a')} and a.closed_at is null
    order by p.id desc`,
)
