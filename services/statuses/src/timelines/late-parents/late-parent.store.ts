import { hasRow, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isOpenStatus, isPublicStatus, mayAnswer } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** A reply, and the status that it answers. */
export type Pair = { replyId: string; parentId: string }

/** The next replies that wait for the status with a uri, which is stored; none if it is not. */
export const readWaiting = prepared(
  'late-parents.waiting',
  ({ uri, limit }: { uri: string; limit: number }) => sql<Pair>`
    select w.status_id reply_id, p.id parent_id from (select id from status where uri = ${uri} offset 0) p
    cross join lateral (select status_id from awaited_parent where uri = ${uri} order by status_id limit ${limit}) w`,
)

/** Maximum statuses of the thread below a reply, with their boosts; a larger one stays a thread of its own. */
const MAX_MOVED = 1000

/** A reply and all below it, and the boosts of these; at most one more than may be moved. */
const readMoved = prepared(
  'late-parents.moved',
  ({ replyId }: { replyId: string }) => sql<{ id: string; isBoost: boolean }>`
    with recursive tree as (
      select ${replyId}::bigint id
      union all
      select s.id from tree cross join lateral (
        select id from status where in_reply_to_id = tree.id order by id limit ${sql.lit(MAX_MOVED + 1)}) s),
    replies as materialized (select id from tree limit ${sql.lit(MAX_MOVED + 1)})
    select id, false is_boost from replies
    union all
    (select b.id, true from replies cross join lateral (
      select id from status_head where reblog_of_id = replies.id order by id limit ${sql.lit(MAX_MOVED + 1)}) b limit ${sql.lit(MAX_MOVED + 1)})`,
)

/** The statuses that move to another thread. */
type Moved = { replies: readonly string[]; all: readonly string[] }
/** The thread that statuses leave, and the one that they are in now. */
type Move = { from: string; to: string }

/** Gives a reply the status that it answers. */
export class LateParentWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Ends the waiting of a reply; false if it does not wait. */
  async end(replyId: string): Promise<boolean> {
    const ended = await sql`delete from awaited_parent where status_id = ${replyId} returning status_id`.execute(this.tx)
    return ended.rows.length > 0
  }

  /** Locks a reply with the thread below it and its parent; undefined if that is too large. */
  async lock({ replyId, parentId }: Pair): Promise<Moved | undefined> {
    const moved = await readMoved(this.tx, { replyId })
    if (moved.length > MAX_MOVED) return undefined
    const all = moved.map(({ id }) => id)
    await sql`select 1 from status_head where id = any(${[...all, parentId]}::bigint[]) order by id for no key update`.execute(this.tx)
    return { all, replies: moved.filter(({ isBoost }) => !isBoost).map(({ id }) => id) }
  }

  /**
   * Gives the reply its parent, whose thread the thread below it joins. Returns the thread that it joins; undefined if it has a parent, if its author
   * may not see that one, or if that is below the reply. The reply begins its thread until then.
   */
  async link({ replyId, parentId }: Pair, { all }: Moved): Promise<string | undefined> {
    const { rows } = await sql<{ threadId: string }>`
      with parent as materialized (
        select p.id, p.author_id, p.thread_id, reply.visibility, reply.author_id = p.author_id is_own
        from status_head p cross join (select id, author_id, visibility, thread_id from status_head where id = ${replyId}) reply
        where p.id = ${parentId} and p.reblog_of_id is null and p.thread_id <> reply.id and reply.thread_id = reply.id
          and ${mayAnswer('p', 'reply.author_id')}),
      linked as (
        update status set in_reply_to_id = parent.id, in_reply_to_account_id = parent.author_id from parent
        where status.id = ${replyId} and in_reply_to_id is null returning status.id),
      moved as (
        update status_head h set thread_id = parent.thread_id, version = version + (h.id = ${replyId})::int,
          is_reply_to_other = case when h.id = ${replyId} then not is_own else is_reply_to_other end,
          is_listed = case when h.id = ${replyId} then is_own and ${isPublicStatus('h')} else is_listed end
        from parent where h.id = any(${all}::bigint[]) and ${hasRow(sql`from linked`)}),
      counted as (
        update status_head h set replies = replies + 1 from parent
        where h.id = parent.id and ${isOpenStatus('parent')} and ${hasRow(sql`from linked`)})
      select parent.thread_id "threadId" from parent where ${hasRow(sql`from linked`)}`.execute(this.tx)
    return rows[0]?.threadId
  }

  /** Brings what is still in another thread of a reply and all below it into the reply's; returns that thread, and what it brought. */
  async gather(replyId: string, { all }: Moved): Promise<{ to: string; brought: string[] } | undefined> {
    const { rows } = await sql<{ id: string; threadId: string }>`
      update status_head h set thread_id = reply.thread_id from (select thread_id from status_head where id = ${replyId}) reply
      where h.id = any(${all}::bigint[]) and h.thread_id <> reply.thread_id returning h.id, h.thread_id "threadId"`.execute(this.tx)
    return rows[0] && { to: rows[0].threadId, brought: rows.map(({ id }) => id) }
  }

  /** Those who wrote these statuses, or whom they mention. */
  async peopleOf(replies: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select author_id id from status_head where id = any(${replies}::bigint[])
      union select account_id from mention where status_id = any(${replies}::bigint[])`.execute(this.tx)
    return rows.map(({ id }) => id)
  }

  /** The people who muted the thread that statuses leave have muted the one that these join. */
  async carryMutes(people: readonly string[], { from, to }: Move): Promise<void> {
    await sql`
      with gone as (delete from thread_mute where account_id = any(${people}::bigint[]) and thread_id = ${from} returning account_id)
      insert into thread_mute (account_id, thread_id) select account_id, ${to}::bigint from gone order by account_id on conflict do nothing`.execute(
      this.tx,
    )
  }

  /**
   * Conversations with these statuses are in the other thread now. Where one with the same people is there already, the older of the two has the statuses
   * of both; the one with the later status says whether it is unread.
   */
  async carryConversations(people: readonly string[], { from, to }: Move): Promise<void> {
    await sql`
      with found as materialized (
        select * from conversation where owner_id = any(${people}::bigint[]) and thread_id in (${from}, ${to}) order by id for update),
      pair as materialized (
        select min(id) kept_id, max(id) gone_id, max(last_status_id) last_status_id, bool_and(is_hidden) is_hidden,
          (array_agg(is_unread order by last_status_id desc)) [1] is_unread
        from found group by owner_id, participants having count(*) = 2),
      brought as (
        insert into conversation_status (conversation_id, status_id)
        select pair.kept_id, said.status_id from pair
        cross join lateral (select status_id from conversation_status where conversation_id = pair.gone_id offset 0) said
        on conflict do nothing),
      merged as (
        update conversation set last_status_id = pair.last_status_id, is_unread = pair.is_unread, is_hidden = pair.is_hidden
        from pair where conversation.id = pair.kept_id)
      delete from conversation where id = any(array(select gone_id from pair))`.execute(this.tx)
    await sql`update conversation set thread_id = ${to} where owner_id = any(${people}::bigint[]) and thread_id = ${from}`.execute(this.tx)
  }
}
