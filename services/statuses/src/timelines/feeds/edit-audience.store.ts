import { QuoteState } from '@rookery/contracts/statuses'
import { type Db, hasRow, prepared, type Source, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { follows, followsSince, mayNotify } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { listed, listsOf, ownersAmong, placed } from './feed-rule.store.ts'

/*
 * Who has a status that was edited: itself, or only a boost of it. A home shows a boost by a follow of its author, so the follows of the
 * boosters lead to those homes; no index of homes by what is boosted is needed.
 */

const hasAtHome = (account: string, status: string) =>
  hasRow(sql`from feed where account_id = ${sql.raw(account)} and status_id = ${sql.raw(status)}`)

const holders = prepared(
  'timelines.edit-holders',
  ({ statusId, accountIds }: { statusId: string; accountIds: readonly string[] }) => sql<{ accountId: string }>`
    select account_id from feed where account_id = any(${accountIds}::bigint[]) and status_id = ${statusId}
    union
    select f.account_id from status_head b
      cross join lateral (select account_id from follow where target_id = b.author_id and account_id = any(${accountIds}::bigint[]) offset 0) f
      where b.reblog_of_id = ${statusId} and ${hasAtHome('f.account_id', 'b.id')}
    union
    select b.author_id from status_head b
      where b.reblog_of_id = ${statusId} and b.author_id = any(${accountIds}::bigint[]) and ${hasAtHome('b.author_id', 'b.id')}`,
)

/** Of these accounts, those that have the status at home, itself or by a boost. */
export const readEditHolders = async (source: Source, statusId: string, accountIds: readonly string[]): Promise<string[]> =>
  (await holders(source, { statusId, accountIds })).map(({ accountId }) => accountId)

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

/** Of these people's lists, those that show the status, itself or by a boost. */
export const readEditLists = async (
  source: Source,
  statusId: string,
  { ownerIds, now }: { ownerIds: readonly string[]; now: Date },
): Promise<string[]> => (await lists(source, { statusId, ownerIds, now })).map(({ listId }) => listId)

/** Whom a status mentions, or did before an edit. */
export const readMentioned = async (db: Db<StatusesTables>, statusId: string): Promise<string[]> => {
  const rows = await db.selectFrom('mention').select('accountId').where('statusId', '=', statusId).execute()
  return rows.map((row) => row.accountId)
}

/** A booster to notify, and their relationship to the author. */
export type Booster = { id: string; followsAuthor: boolean; followedSince: number | null; authorCreatedAt: Date; isAuthorLimited: boolean }

const personColumns = (person: string) => sql`${sql.raw(person)} id, a.created_at author_created_at, a.is_silenced is_author_limited,
      ${follows(person, 'a.id')} follows_author, ${followsSince('a.id', person)} followed_since`

/** Someone who quotes a status, and the status that does. */
type Quoter = Booster & { quoteId: string }

/** Those whose accepted quotes show a status, except its author and accounts behind a block, a mute or a mute of the thread of the quote. */
export const readQuoters = async (
  tx: Tx<StatusesTables>,
  { statusId, authorId, now }: { statusId: string; authorId: string; now: Date },
): Promise<Quoter[]> => {
  const { rows } = await sql<Quoter>`
    select ${personColumns('h.author_id')}, h.id quote_id
    from quote q join status_head h on h.id = q.status_id join account a on a.id = ${authorId}
    where q.quoted_id = ${statusId} and q.state = ${sql.lit(QuoteState.ACCEPTED)} and h.author_id <> ${authorId}
      and ${mayNotify({ recipient: 'h.author_id', actor: 'a.id', thread: 'h.thread_id', now: sql`${now}` })}`.execute(tx)
  return rows
}

/** Those who boosted a status, except its author and accounts behind a block, a mute or a mute of the thread. */
export const readBoosters = async (
  tx: Tx<StatusesTables>,
  { statusId, authorId, now }: { statusId: string; authorId: string; now: Date },
): Promise<Booster[]> => {
  const { rows } = await sql<Booster>`
    select ${personColumns('b.author_id')}
    from status_head b join account a on a.id = ${authorId}
    where b.reblog_of_id = ${statusId} and b.author_id <> ${authorId}
      and ${mayNotify({ recipient: 'b.author_id', actor: 'a.id', thread: 'b.thread_id', now: sql`${now}` })}`.execute(tx)
  return rows
}
