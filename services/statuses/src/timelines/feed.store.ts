import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../database/schema.ts'

/** A status to be placed in feeds, as its fact describes it. */
export type Placed = { statusId: string; authorId: string }

/** Followers taken by one statement: many posts of few followers, or one post of many, cost about the same. */
const CHUNK = 20_000
/** Posts of a newly followed person that come into the follower's home. */
const MERGED = 200
/** The advisory lock of feeds; one schema's lock is (this, hash of the schema's name). */
const FEEDS_LOCK = 4_712

/** Followers by id: those above `after`, up to and with `upTo`. */
type Range = { after: string; upTo: string }
const EVERYBODY: Range = { after: '0', upTo: '9223372036854775807' }

/** Of these people, who has which of these statuses at home. */
export const readHolders = async (
  tx: Tx<StatusesTables>,
  statusIds: readonly string[],
  accountIds: readonly string[],
): Promise<{ account_id: string; status_id: string }[]> => {
  const { rows } = await sql<{ account_id: string; status_id: string }>`
    select account_id, status_id from feed
    where account_id = any(${[...accountIds]}::bigint[]) and status_id = any(${[...statusIds]}::bigint[])`.execute(tx)
  return rows
}

export class FeedWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Lets others place too, and nobody bring homes in step with the graph, until the transaction ends. */
  async share(): Promise<void> {
    await sql`select pg_advisory_xact_lock_shared(${FEEDS_LOCK}::int, hashtext(current_schema()))`.execute(this.tx)
  }

  /**
   * Waits for whoever places now, and keeps others from it until the transaction ends: they read the follows before they write, so what
   * is cleared after an unfollow would come back otherwise.
   */
  async claim(): Promise<void> {
    await sql`select pg_advisory_xact_lock(${FEEDS_LOCK}::int, hashtext(current_schema()))`.execute(this.tx)
  }

  /**
   * Places statuses in the homes of those who follow their authors (beyond-the-spec 1.12, Home), one insert … select a chunk of followers.
   * Kept away: languages not wanted, boosts not wanted, replies to people not followed or to statuses that are gone, whatever a block or
   * mute stands against, and direct statuses from whom they do not mention. Statuses deleted meanwhile are not placed.
   */
  async placeForFollowers(statusIds: readonly string[], now: Date): Promise<void> {
    let range: Range | undefined = EVERYBODY
    while (range) range = await this.placeChunk(statusIds, range, now)
  }

  /** Brings the recent posts of a newly followed person into the follower's home, by the same rules. */
  async merge(followerId: string, targetId: string, now: Date): Promise<void> {
    const recent = this.tx.selectFrom('status_head').select('id').where('author_id', '=', targetId).orderBy('id', 'desc').limit(MERGED)
    const ids = (await recent.execute()).map(({ id }) => id)
    await this.placeChunk(ids, { after: String(BigInt(followerId) - 1n), upTo: followerId }, now)
  }

  /** Places for the first followers of a range; answers with the rest of it, or undefined when there is none. */
  private async placeChunk(statusIds: readonly string[], { after, upTo }: Range, now: Date): Promise<Range | undefined> {
    const { rows } = await sql<{ count: number; last: string | null }>`
      with placed as materialized (
        select h.id, h.author_id, h.visibility, h.reblog_of_id, s.language, coalesce(original.author_id, h.author_id) origin_id,
          s.in_reply_to_account_id reply_to_id,
          array[h.author_id, coalesce(original.author_id, h.author_id)]
            || array(select account_id from mention where status_id = coalesce(h.reblog_of_id, h.id)) involved
        from status_head h join status s on s.id = h.id left join status_head original on original.id = h.reblog_of_id
        where h.id = any(${[...statusIds]}::bigint[])
          and (s.in_reply_to_id is null or exists (select 1 from status_head where id = s.in_reply_to_id))),
      unwilling as materialized (
        select p.id, b.account_id from placed p join block b on b.target_id = any(p.involved)
          where b.account_id > ${after} and b.account_id <= ${upTo}
        union select p.id, m.account_id from placed p join mute m on m.target_id = any(p.involved)
          where m.account_id > ${after} and m.account_id <= ${upTo} and (m.expires_at is null or m.expires_at > ${now})
        union select p.id, b.target_id from placed p join block b on b.account_id = any(array[p.author_id, p.origin_id])
          where b.target_id > ${after} and b.target_id <= ${upTo}),
      followers as materialized (
        select target_id, account_id, reblogs, languages from follow
        where target_id = any(array(select distinct author_id from placed)) and account_id > ${after} and account_id <= ${upTo}
        -- With ties: somebody who follows several of the authors is in one chunk with all of them.
        order by account_id fetch first (${CHUNK}::int) rows with ties),
      put as (
        insert into feed (account_id, status_id, reblog_of_id)
        select f.account_id, p.id, p.reblog_of_id from placed p join followers f on f.target_id = p.author_id
        where (p.reblog_of_id is null or f.reblogs)
          and (f.languages is null or p.language is null or p.language = any(f.languages))
          and (p.visibility <> 4 or exists (select 1 from mention where status_id = p.id and account_id = f.account_id))
          and (p.reply_to_id is null or p.reply_to_id in (p.author_id, f.account_id)
            or exists (select 1 from follow where account_id = f.account_id and target_id = p.reply_to_id))
          and not exists (select 1 from unwilling u where u.id = p.id and u.account_id = f.account_id)
        on conflict do nothing)
      select count(*)::int count, max(account_id)::text last from followers`.execute(this.tx)
    const [chunk] = rows
    return chunk && chunk.count >= CHUNK && chunk.last !== null ? { after: chunk.last, upTo } : undefined
  }

  /** Takes deleted statuses out of the homes of their authors' followers. */
  async withdraw(statuses: readonly Placed[]): Promise<void> {
    await sql`
      delete from feed using (
        select f.account_id, s.id from unnest(${statuses.map(({ statusId }) => statusId)}::bigint[],
          ${statuses.map(({ authorId }) => authorId)}::bigint[]) as s (id, author_id)
        join follow f on f.target_id = s.author_id) gone
      where feed.account_id = gone.account_id and feed.status_id = gone.id`.execute(this.tx)
  }

  /**
   * Takes a person's posts out of somebody's home and, when they are silenced, also what boosts or mentions them; what the owner of the
   * home posted stays. Answers with what was there.
   */
  async clear(accountId: string, targetId: string, { isSilenced }: { isSilenced: boolean }): Promise<string[]> {
    const { rows } = await sql<{ status_id: string }>`
      delete from feed using status_head h
      where feed.account_id = ${accountId} and h.id = feed.status_id and (h.author_id = ${targetId}
        or (${isSilenced}::boolean and h.author_id <> ${accountId} and (
          exists (select 1 from status_head where id = feed.reblog_of_id and author_id = ${targetId})
          or exists (select 1 from mention where status_id = coalesce(feed.reblog_of_id, feed.status_id) and account_id = ${targetId}))))
      returning feed.status_id`.execute(this.tx)
    return rows.map((row) => row.status_id)
  }
}
