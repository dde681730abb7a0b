import { QuoteState } from '@rookery/contracts/statuses'
import { hasRow, prepared, type Source } from '@rookery/database'
import { sql } from 'kysely'
import { follows, followsSince, isNotSuspended, mayNotify } from '../../audience/index.ts'
import { belonging, IS_SHOWN_AT_HOME, listed, listsOf, NO_LIMIT, ownersAmong, placed } from './feed-rule.store.ts'

/*
 * The accounts that have an edited status, itself or only a boost of it. A home shows a boost because of a follow of its booster, so the
 * boosters' followers lead to those homes; no index of feeds by boosted status is needed.
 */

const hasAtHome = (account: string, status: string) =>
  hasRow(sql`from feed where account_id = ${sql.raw(account)} and status_id = ${sql.raw(status)}`)

// By the rule, because homes may still have the status as it was before: an edit of mentions or language changes where it belongs.
const holders = prepared(
  'timelines.edit-holders',
  ({ statusId, accountIds, now }: { statusId: string; accountIds: readonly string[]; now: Date }) => {
    const candidates = sql`select ${statusId}::bigint
      union
      select b.id from status_head b
        cross join lateral (select account_id from follow where target_id = b.author_id and account_id = any(${accountIds}::bigint[]) offset 0) f
        where b.reblog_of_id = ${statusId} and ${hasAtHome('f.account_id', 'b.id')}
      union
      select b.id from status_head b
        where b.reblog_of_id = ${statusId} and b.author_id = any(${accountIds}::bigint[]) and ${hasAtHome('b.author_id', 'b.id')}`
    return sql<{ accountId: string }>`
      with ${placed(candidates)}, ${belonging(ownersAmong(accountIds, now), NO_LIMIT, 'written')}
      select distinct b.account_id from belonging b join placed p on p.id = b.id where ${IS_SHOWN_AT_HOME}`
  },
)

/** Of some accounts, those whose home shows the status after an edit, itself or by a boost; pulled authors apart. */
export const readEditHolders = async (
  source: Source,
  statusId: string,
  { accountIds, now }: { accountIds: readonly string[]; now: Date },
): Promise<string[]> => (await holders(source, { statusId, accountIds, now })).map(({ accountId }) => accountId)

const lists = prepared(
  'timelines.edit-lists',
  ({ statusId, ownerIds, now }: { statusId: string; ownerIds: readonly string[]; now: Date }) => {
    // The status and its boosts by members of the lists.
    const candidates = sql`select ${statusId}::bigint union select b.id from status_head b where b.reblog_of_id = ${statusId} and ${hasRow(
      sql`from list_member m cross join lateral (select account_id from list where id = m.list_id offset 0) l
        where m.account_id = b.author_id and l.account_id = any(${ownerIds}::bigint[])`,
    )}`
    return sql<{ listId: string }>`with ${placed(candidates)}, ${listed(listsOf(ownerIds), ownersAmong(ownerIds, now))}
      select distinct list_id from listed`
  },
)

/** Of these owners' lists, those that show the status, itself or by a boost. */
export const readEditLists = async (
  source: Source,
  statusId: string,
  { ownerIds, now }: { ownerIds: readonly string[]; now: Date },
): Promise<string[]> => (await lists(source, { statusId, ownerIds, now })).map(({ listId }) => listId)

const mentioned = prepared(
  'timelines.edit-mentioned',
  ({ statusIds }: { statusIds: readonly string[] }) =>
    sql<{ statusId: string; accountId: string }>`select status_id, account_id from mention where status_id = any(${statusIds}::bigint[])`,
)

/** Accounts that statuses mention, or mentioned before an edit. */
export const readMentioned = (source: Source, statusIds: readonly string[]) => mentioned(source, { statusIds })

/** An account to notify of an edit, and its relationship to the author of the edited status. */
export type Notified = {
  statusId: string
  id: string
  followsAuthor: boolean
  followedSince: number | null
  authorCreatedAt: Date
  isAuthorLimited: boolean
}

type Asked = { statusIds: readonly string[]; now: Date }

const personColumns = (person: string) => sql`${sql.raw(person)} id, a.created_at author_created_at, a.is_silenced is_author_limited,
      ${follows(person, 'a.id')} follows_author, ${followsSince('a.id', person)} followed_since`

/** The edited statuses, and their authors, without those that are suspended: what they edit counts later, but notifies no one. */
const editedBy = ({ statusIds }: Asked) => sql`unnest(${statusIds}::bigint[]) edited (id)
      cross join lateral (select author_id from status_head where id = edited.id offset 0) e
      cross join lateral (select id, created_at, is_silenced from account where id = e.author_id and ${isNotSuspended()} offset 0) a`

/** The author of a quote, and the quoting status. */
type Quoter = Notified & { quoteId: string }

const quoters = prepared(
  'timelines.edit-quoters',
  (given: Asked) => sql<Quoter>`
    select edited.id status_id, ${personColumns('h.author_id')}, h.id quote_id
    from ${editedBy(given)}
      cross join lateral (select status_id from quote where quoted_id = edited.id and state = ${sql.lit(QuoteState.ACCEPTED)} offset 0) q
      cross join lateral (select id, author_id, thread_id from status_head where id = q.status_id offset 0) h
    where h.author_id <> a.id
      and ${mayNotify({ recipient: 'h.author_id', actor: 'a.id', thread: 'h.thread_id', now: sql`${given.now}` })}`,
)

/** Authors of accepted quotes of statuses, except the statuses' own authors and accounts behind a block, a mute or a mute of the quote's thread. */
export const readQuoters = (source: Source, asked: Asked): Promise<Quoter[]> => quoters(source, asked)

const boosters = prepared(
  'timelines.edit-boosters',
  (given: Asked) => sql<Notified>`
    select edited.id status_id, ${personColumns('b.author_id')}
    from ${editedBy(given)}
      cross join lateral (select author_id, thread_id from status_head where reblog_of_id = edited.id offset 0) b
    where b.author_id <> a.id
      and ${mayNotify({ recipient: 'b.author_id', actor: 'a.id', thread: 'b.thread_id', now: sql`${given.now}` })}`,
)

/** Accounts that boosted statuses, except the statuses' own authors and accounts behind a block, a mute or a mute of the thread. */
export const readBoosters = (source: Source, asked: Asked): Promise<Notified[]> => boosters(source, asked)
