import { Visibility } from '@rookery/contracts/statuses'
import { hasAny, hasRow } from '@rookery/database'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isNotSuspended } from './account.predicates.ts'

/*
 * SQL conditions on follows, blocks, mutes and visibility, for all statements that need them. The pure rules in this folder give the same
 * answers.
 */

/** A column or another expression as SQL text; or a value to bind. */
type Operand = string | RawBuilder<unknown>

/** A condition. */
type Predicate = RawBuilder<SqlBool>

const of = (operand: Operand): RawBuilder<unknown> => (typeof operand === 'string' ? sql.raw(operand) : operand)

const visibilityOf = (head: string) => sql.raw(`${head}.visibility`)
const compared = (head: string, operator: '=' | '<>' | '<=', visibility: number): Predicate =>
  sql<SqlBool>`${visibilityOf(head)} ${sql.raw(operator)} ${sql.raw(String(visibility))}`

/** Whether a status, by the alias of its row in status_head, is public or unlisted. */
export const isOpenStatus = (head: string): Predicate => compared(head, '<=', Visibility.UNLISTED)

/** Whether a status is public. */
export const isPublicStatus = (head: string): Predicate => compared(head, '=', Visibility.PUBLIC)

/** Whether a status is for more people than those it mentions. */
export const isNotDirectStatus = (head: string): Predicate => compared(head, '<>', Visibility.DIRECT)

/** Whether one account follows another. */
export const follows = (follower: Operand, followed: Operand): Predicate =>
  hasRow(sql`from follow where account_id = ${of(follower)} and target_id = ${of(followed)}`)

/** When one account began to follow another, in milliseconds since 1970; null if it does not. */
export const followsSince = (follower: Operand, followed: Operand): RawBuilder<number | null> =>
  sql`(select (extract(epoch from created_at) * 1000)::float8 from follow where account_id = ${of(follower)} and target_id = ${of(followed)})`

/** Whether one account blocks another. */
export const blocks = (blocker: Operand, blocked: Operand): Predicate =>
  hasRow(sql`from block where account_id = ${of(blocker)} and target_id = ${of(blocked)}`)

/** Whether either of two accounts blocks the other. */
export const hasBlockBetween = (one: Operand, other: Operand): Predicate => sql<SqlBool>`(${blocks(one, other)} or ${blocks(other, one)})`

/** Whether a mute, by the alias of its row, has not expired. */
export const isActiveMute = (mute: string, now: Operand): Predicate =>
  sql<SqlBool>`(${sql.raw(mute)}.expires_at is null or ${sql.raw(mute)}.expires_at > ${of(now)})`

/** Whether one account mutes another. */
export const mutes = (muter: Operand, muted: Operand, now: Operand): Predicate =>
  hasRow(sql`from mute where account_id = ${of(muter)} and target_id = ${of(muted)} and ${isActiveMute('mute', now)}`)

/** Whether one account mutes another, including notifications. */
export const mutesNotifications = (muter: Operand, muted: Operand, now: Operand): Predicate =>
  hasRow(sql`from mute where account_id = ${of(muter)} and target_id = ${of(muted)} and notifications and ${isActiveMute('mute', now)}`)

/** Whether an account muted a thread; false for a thread that is null. */
export const mutesThread = (account: Operand, thread: Operand): Predicate =>
  hasRow(sql`from thread_mute where account_id = ${of(account)} and thread_id = ${of(thread)}`)

/** A query of the threads of an array that an account muted. */
export const threadsMutedBy = (account: Operand, threads: Operand): RawBuilder<unknown> =>
  sql`select thread_id from thread_mute where account_id = ${of(account)} and thread_id = any(${of(threads)})`

/** A query of the accounts of an array that muted a thread. */
export const accountsMutingThread = (accounts: Operand, thread: Operand): RawBuilder<unknown> =>
  sql`select account_id from thread_mute where account_id = any(${of(accounts)}::bigint[]) and thread_id = ${of(thread)}`

/** Whether a status mentions an account. */
export const isMentioned = (status: Operand, account: Operand): Predicate =>
  hasRow(sql`from mention where status_id = ${of(status)} and account_id = ${of(account)}`)

/**
 * Whether the viewer belongs to the audience of a status, by the alias of its row in status_head (beyond-the-spec 1.11). `author` overrides the
 * author column if all rows have one author.
 */
export const isInAudienceOf = (head: string, viewer: Operand, author: Operand = `${head}.author_id`): Predicate =>
  sql<SqlBool>`(${isOpenStatus(head)} or ${sql.raw(head)}.author_id = ${of(viewer)} or ${isMentioned(`${head}.id`, viewer)}
    or (${compared(head, '=', Visibility.PRIVATE)} and ${follows(viewer, author)}))`

/** Whether a row of `among` has an account of a domain. */
const isOf = (domain: Operand, from: RawBuilder<unknown>): Predicate =>
  hasRow(
    sql`${from} cross join lateral (select domain from account where id = among.account_id offset 0) person where person.domain = ${of(domain)}`,
  )

/**
 * Whether the audience of a status, by the alias of its row in status_head, includes people of a domain: then the server of that domain has the
 * status (beyond-the-spec 1.11).
 */
export const isSentTo = (head: string, domain: Operand): Predicate => {
  const row = sql.raw(head)
  const followers = sql`from (select account_id from follow where target_id = ${row}.author_id and not is_local) among`
  const mentioned = sql`from (select account_id from mention where status_id = ${row}.id) among`
  return sql<SqlBool>`(${isOpenStatus(head)} or ${isOf(domain, mentioned)}
    or (${compared(head, '=', Visibility.PRIVATE)} and ${isOf(domain, followers)}))`
}

/** Whether the server suspended an account. */
const isSuspended = (account: Operand): Predicate => hasRow(sql`from account where id = ${of(account)} and is_suspended`)

/** Whether an account is local: only local accounts get notifications and home timelines here. */
export const isLocalAccount = (account: Operand): Predicate => hasRow(sql`from account where id = ${of(account)} and domain is null`)

/**
 * Whether an account may have answered a status, by the alias of its row in status_head: it may see it, apart from a suspension of its author, which
 * may end.
 */
export const mayAnswer = (head: string, account: Operand): Predicate =>
  sql<SqlBool>`(not ${blocks(`${head}.author_id`, account)} and not ${blocksDomainOf(`${head}.author_id`, account)} and ${isInAudienceOf(head, account)})`

/** Whether the viewer may see a status requested by its id, by the alias of its row in status_head; of a boost, only the boost is checked. */
export const isVisibleTo = (head: string, viewer: Operand): Predicate =>
  sql<SqlBool>`(not ${isSuspended(`${head}.author_id`)} and ${mayAnswer(head, viewer)})`

/** Whether an account blocks the domain of another account. */
export const blocksDomainOf = (blocker: Operand, account: Operand): Predicate =>
  hasRow(sql`from domain_block where account_id = ${of(blocker)} and domain = (select domain from account where id = ${of(account)})`)

/** Whether lists of accounts leave an account out for the viewer, who blocks or mutes it, or blocks its domain. */
export const isHiddenByViewer = (viewer: Operand, account: Operand, now: Operand): Predicate =>
  sql<SqlBool>`(${blocks(viewer, account)} or ${mutes(viewer, account, now)} or ${blocksDomainOf(viewer, account)})`

/** Whether an account is hidden from the viewer by a block either way, or by the viewer's mute or block of its domain. */
export const isKeptFrom = (viewer: Operand, account: Operand, now: Operand): Predicate =>
  sql<SqlBool>`(${hasBlockBetween(viewer, account)} or ${mutes(viewer, account, now)} or ${blocksDomainOf(viewer, account)})`

/** A query of the accounts that an account blocks. */
const accountsBlockedBy = (account: Operand): RawBuilder<unknown> => sql`select target_id from block where account_id = ${of(account)}`

/** A query of the accounts that block an account. */
const accountsBlocking = (account: Operand): RawBuilder<unknown> => sql`select account_id from block where target_id = ${of(account)}`

/** A query of the accounts hidden from the viewer by a block either way or by the viewer's mute. */
export const accountsHiddenFrom = (viewer: Operand, now: Operand): RawBuilder<unknown> =>
  sql`${accountsBlockedBy(viewer)} union all ${accountsBlocking(viewer)}
    union all select target_id from mute where account_id = ${of(viewer)} and ${isActiveMute('mute', now)}`

/** A query of the accounts of an array that block the viewer. */
export const accountsAmongBlocking = (viewer: Operand, accounts: Operand): RawBuilder<unknown> =>
  sql`select account_id id from block where target_id = ${of(viewer)} and account_id = any(${of(accounts)}::bigint[])`

/** A query of the accounts of an array that the viewer blocks, directly or by domain. Their domains are read only if the viewer blocks a domain. */
export const accountsAmongBlockedBy = (viewer: Operand, accounts: Operand): RawBuilder<unknown> => {
  const blocked = sql`from domain_block where account_id = ${of(viewer)}`
  return sql`select target_id id from block where account_id = ${of(viewer)} and target_id = any(${of(accounts)}::bigint[])
    union all select id from account where (select ${hasRow(blocked)}) and id = any(${of(accounts)}::bigint[])
      and ${hasRow(sql`${blocked} and domain = account.domain`)}`
}

/**
 * A query of the accounts of an array that are hidden from the viewer by a block either way, or by the viewer's mute or block of their domain:
 * `isKeptFrom`, evaluated for all of them at once.
 */
export const accountsAmongKeptFrom = (viewer: Operand, accounts: Operand, now: Operand): RawBuilder<unknown> =>
  sql`${accountsAmongBlockedBy(viewer, accounts)} union all ${accountsAmongBlocking(viewer, accounts)}
    union all select target_id from mute where account_id = ${of(viewer)} and target_id = any(${of(accounts)}::bigint[]) and ${isActiveMute('mute', now)}`

/**
 * `from … where …`: the domain blocks by any of some viewers against the domains of some authors (both arrays). Local authors have a null domain,
 * which matches nothing. An explicit `is not null` would have the planner read all remote accounts.
 */
const domainBlocksOf = (viewers: Operand, authors: Operand): RawBuilder<unknown> =>
  sql`from domain_block where account_id = any(${of(viewers)}::bigint[])
      and domain = any(array(select domain from account where id = any(${of(authors)}::bigint[])))`

/**
 * An array of the viewers from whom any of some authors is hidden, by a block either way, or by the viewer's mute or block of a domain (both arrays).
 */
export const viewersKeptFrom = (authors: Operand, viewers: Operand, now: Operand): RawBuilder<unknown> =>
  sql`array(
    select target_id from block where account_id = any(${of(authors)}::bigint[]) and target_id = any(${of(viewers)}::bigint[])
    union select account_id from block where target_id = any(${of(authors)}::bigint[]) and account_id = any(${of(viewers)}::bigint[])
    union select account_id from mute where target_id = any(${of(authors)}::bigint[]) and account_id = any(${of(viewers)}::bigint[])
      and ${isActiveMute('mute', now)}
    union select account_id ${domainBlocksOf(viewers, authors)})`

/**
 * A query of the pairs (id, account_id) of statuses and readers kept apart by a block or mute: the reader blocks or mutes the author, the author of
 * the boosted status or anyone mentioned (`involved`); the author or the author of the boosted status (`origin_id`) blocks the reader; or the reader
 * blocks the domain of one of these two. `placed` names rows of statuses with id, author_id, origin_id and involved; `among` narrows the readers, by
 * the column given.
 */
export const readersKeptApart = (placed: string, among: (column: string) => RawBuilder<unknown>, now: Operand): RawBuilder<unknown> => {
  const rows = sql.raw(placed)
  return sql`select p.id, b.account_id from ${rows} p cross join lateral (
      select account_id from block where target_id = any(p.involved) and ${among('account_id')} offset 0) b
    union select p.id, m.account_id from ${rows} p cross join lateral (
      select account_id from mute where target_id = any(p.involved) and ${among('account_id')} and ${isActiveMute('mute', now)} offset 0) m
    union select p.id, b.target_id from ${rows} p cross join lateral (
      select target_id from block where account_id = any(array[p.author_id, p.origin_id]) and ${among('target_id')} offset 0) b
    union select p.id, d.account_id from ${rows} p cross join lateral (
      select account_id from domain_block where domain = any(array(
          select domain from account where id = any(array[p.author_id, p.origin_id])))
        and ${among('account_id')} offset 0) d`
}

/**
 * Whether a block or mute hides a status from one reader, by the conditions of `readersKeptApart`; `placed` names its row, with id, reblog_of_id,
 * author_id and origin_id. Most readers block and mute no one: one look-up finds that, and no status is checked.
 */
export const isKeptFromReader = (placed: string, reader: Operand, now: Operand): Predicate => {
  const row = sql.raw(placed)
  const authors = sql`array[${row}.author_id, ${row}.origin_id]`
  const mentioned = sql`select account_id from mention where status_id = coalesce(${row}.reblog_of_id, ${row}.id)`
  const any = (from: RawBuilder<unknown>) => hasAny(sql`${from} = ${of(reader)}`)
  return sql<SqlBool>`((${any(sql`from block where account_id`)} or ${any(sql`from mute where account_id`)}) and ${hasRow(
    sql`from (select ${authors} || array(${mentioned}) ids offset 0) involved
        where ${hasRow(sql`from block where account_id = ${of(reader)} and target_id = any(involved.ids)`)}
          or ${hasRow(sql`from mute where account_id = ${of(reader)} and target_id = any(involved.ids) and ${isActiveMute('mute', now)}`)}`,
  )}
    or (${any(sql`from block where target_id`)} and ${hasRow(sql`from block where target_id = ${of(reader)} and account_id = any(${authors})`)})
    or (${any(sql`from domain_block where account_id`)} and ${hasRow(
      sql`from domain_block where account_id = ${of(reader)}
        and domain = any(array(select domain from account where id = any(${authors})))`,
    )}))`
}

/**
 * Whether an account is notified of another account's act, optionally in a thread (null for none): the recipient is local and not suspended, and
 * there is no block either way, no block of the actor's domain, no mute of notifications and no mute of the thread (beyond-the-spec 1.14).
 */
export const mayNotify = ({ recipient, actor, thread, now }: Record<'recipient' | 'actor' | 'thread' | 'now', Operand>): Predicate =>
  sql<SqlBool>`(${hasRow(sql`from account where id = ${of(recipient)} and domain is null and ${isNotSuspended()}`)}
    and not ${hasBlockBetween(recipient, actor)} and not ${mutesNotifications(recipient, actor, now)}
    and not ${blocksDomainOf(recipient, actor)} and not ${mutesThread(recipient, thread)})`

/**
 * Whether the recipient's block of an account or of its server, or mute with notifications, keeps notifications of the account away that were there
 * before (beyond-the-spec 1.15).
 */
export const isKeptFromInbox = ({ recipient, actor, now }: Record<'recipient' | 'actor' | 'now', Operand>): Predicate =>
  sql<SqlBool>`(${blocks(recipient, actor)} or ${mutesNotifications(recipient, actor, now)} or ${blocksDomainOf(recipient, actor)})`

/**
 * An account's blocks and mutes: `blocking`, `blocked_by`, `muted` and `blocked_domains` (arrays), and `mute_ends_at`, when the first of its mutes
 * expires (milliseconds since 1970).
 */
export const contextColumns = (account: Operand, now: Operand): RawBuilder<unknown> => {
  // In a subquery of its own, so that the first expiry is not searched among all mutes.
  const mutesOf = sql`from (select * from mute where account_id = ${of(account)} and ${isActiveMute('mute', now)} offset 0) own`
  return sql`array(${accountsBlockedBy(account)}) blocking, array(${accountsBlocking(account)}) blocked_by,
    array(select target_id ${mutesOf}) muted, array(select domain from domain_block where account_id = ${of(account)}) blocked_domains, (select floor(extract(epoch from min(expires_at)) * 1000)::float8 ${mutesOf}) mute_ends_at`
}

/**
 * The relationships of many viewers to some statuses and their authors (arrays), as pairs: viewer and author in `followed`, `blocking`, `blocked_by`
 * and `muted`, viewer and status in `mentioned`, viewer and domain in `blocked_domains`.
 */
export const tieColumns = ({
  viewers,
  authors,
  statuses,
  now,
}: Record<'viewers' | 'authors' | 'statuses' | 'now', Operand>): RawBuilder<unknown> => {
  const pairs = (one: string, other: string, from: RawBuilder<unknown>) =>
    sql`coalesce((select json_agg(json_build_array(${sql.raw(one)}::text, ${sql.raw(other)}::text)) ${from}), '[]')`
  const toAuthors = sql`account_id = any(${of(viewers)}::bigint[]) and target_id = any(${of(authors)}::bigint[])`
  const toViewers = sql`account_id = any(${of(authors)}::bigint[]) and target_id = any(${of(viewers)}::bigint[])`
  return sql`${pairs('account_id', 'target_id', sql`from follow where ${toAuthors}`)} followed,
    ${pairs('account_id', 'status_id', sql`from mention where status_id = any(${of(statuses)}::bigint[]) and account_id = any(${of(viewers)}::bigint[])`)} mentioned,
    ${pairs('account_id', 'target_id', sql`from block where ${toAuthors}`)} blocking,
    ${pairs('target_id', 'account_id', sql`from block where ${toViewers}`)} blocked_by,
    ${pairs('account_id', 'target_id', sql`from mute where ${toAuthors} and ${isActiveMute('mute', now)}`)} muted,
    ${pairs('account_id', 'domain', domainBlocksOf(viewers, authors))} blocked_domains`
}
