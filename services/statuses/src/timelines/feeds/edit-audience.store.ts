import { type Db, MAX_ID, runText, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { follows, mayNotify } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { listed, placed } from './feed-rule.store.ts'

/*
 * Who has a status that was edited: itself, or only a boost of it. A home shows a boost by a follow of its author, so the follows of the
 * boosters lead to those homes; no index of homes by what is boosted is needed.
 */

/** $1 the status, $2 accounts. */
const HOLDERS = `
  select account_id "accountId" from feed where account_id = any($2::bigint[]) and status_id = $1
  union
  select f.account_id from status_head b join follow f on f.target_id = b.author_id and f.account_id = any($2::bigint[])
    join feed on feed.account_id = f.account_id and feed.status_id = b.id where b.reblog_of_id = $1
  union
  select b.author_id from status_head b join feed on feed.account_id = b.author_id and feed.status_id = b.id
    where b.reblog_of_id = $1 and b.author_id = any($2::bigint[])`

/** Of these accounts, those that have the status at home, itself or by a boost. */
export const readEditHolders = async (db: Db<StatusesTables>, statusId: string, accountIds: readonly string[]): Promise<string[]> => {
  const rows = await runText<{ accountId: string }, StatusesTables>(db, HOLDERS, [statusId, accountIds])
  return rows.map(({ accountId }) => accountId)
}

/** The status and its boosts by members of these people's lists. */
const CANDIDATES = `
  select $1::bigint union select b.id from status_head b join list_member m on m.account_id = b.author_id
    join list l on l.id = m.list_id where b.reblog_of_id = $1 and l.account_id = any($2::bigint[])`

const EVERYBODY = { after: '0', upTo: MAX_ID }
/** $1 the status, $2 owners, $3 now. */
const LISTS = `with ${placed(CANDIDATES)},
  ${listed('select id, account_id, replies_policy from list where account_id = any($2::bigint[])', { ...EVERYBODY, now: '$3', only: '$2' })}
  select distinct list_id "listId" from listed`

/** Of these people's lists, those that show the status, itself or by a boost. */
export const readEditLists = async (
  db: Db<StatusesTables>,
  statusId: string,
  { ownerIds, now }: { ownerIds: readonly string[]; now: Date },
): Promise<string[]> => {
  const rows = await runText<{ listId: string }, StatusesTables>(db, LISTS, [statusId, ownerIds, now])
  return rows.map(({ listId }) => listId)
}

/** Whom a status mentions, or did before an edit. */
export const readMentioned = async (db: Db<StatusesTables>, statusId: string): Promise<string[]> => {
  const rows = await db.selectFrom('mention').select('accountId').where('statusId', '=', statusId).execute()
  return rows.map((row) => row.accountId)
}

/** A booster who is to be told, and what they and the author are to each other. */
export type Booster = { id: string; followsAuthor: boolean; isFollowed: boolean; authorCreatedAt: Date; isAuthorLimited: boolean }

/** Those who boosted a status, but for its author and whoever a block, a mute or a mute of the thread keeps from hearing of it. */
export const readBoosters = async (
  tx: Tx<StatusesTables>,
  { statusId, authorId, now }: { statusId: string; authorId: string; now: Date },
): Promise<Booster[]> => {
  const { rows } = await sql<Booster>`
    select b.author_id id, a.created_at author_created_at, a.is_silenced is_author_limited,
      ${follows('b.author_id', 'a.id')} follows_author, ${follows('a.id', 'b.author_id')} is_followed
    from status_head b join account a on a.id = ${authorId}
    where b.reblog_of_id = ${statusId} and b.author_id <> ${authorId}
      and ${mayNotify({ recipient: 'b.author_id', actor: 'a.id', thread: 'b.thread_id', now: sql`${now}` })}`.execute(tx)
  return rows
}
