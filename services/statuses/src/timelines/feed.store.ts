import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../database/schema.ts'

/** A status to be placed in feeds, as its fact describes it. */
export type Placed = { statusId: string; authorId: string }

/** Followers taken by one statement: many posts of few followers, or one post of many, cost about the same. */
const CHUNK = 20_000
/** Posts of a newly followed person that come into the follower's home. */
const MERGED = 200

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

  /**
   * Places statuses in the homes of those who follow their authors (beyond-the-spec 1.12, Home), one insert … select a chunk of followers.
   * Kept away: languages not wanted, boosts not wanted, replies to people not followed, whatever a block or mute stands against, and direct
   * statuses from whom they do not mention. Statuses deleted meanwhile are not placed.
   */
  async placeForFollowers(statusIds: readonly string[], now: Date): Promise<void> {
    let after = '0'
    for (;;) {
      const end = await this.placeChunk(statusIds, after, now)
      if (end === undefined) return
      after = end
    }
  }

  private async placeChunk(statusIds: readonly string[], after: string, now: Date): Promise<string | undefined> {
    const { rows } = await sql<{ count: number; last: string | null }>`
      with placed as materialized (
        select h.id, h.author_id, h.visibility, h.reblog_of_id, s.language, coalesce(original.author_id, h.author_id) origin_id,
          case when h.reblog_of_id is null then s.in_reply_to_account_id end reply_to_id,
          array[h.author_id, coalesce(original.author_id, h.author_id)]
            || array(select account_id from mention where status_id = coalesce(h.reblog_of_id, h.id)) involved
        from status_head h join status s on s.id = h.id left join status_head original on original.id = h.reblog_of_id
        where h.id = any(${[...statusIds]}::bigint[])),
      unwilling as materialized (
        select p.id, b.account_id from placed p join block b on b.target_id = any(p.involved)
        union select p.id, m.account_id from placed p join mute m on m.target_id = any(p.involved)
          where m.expires_at is null or m.expires_at > ${now}
        union select p.id, b.target_id from placed p join block b on b.account_id = any(array[p.author_id, p.origin_id])),
      followers as materialized (
        select target_id, account_id, reblogs, languages from follow
        where target_id = any(array(select distinct author_id from placed)) and account_id > ${after}
        order by account_id limit ${CHUNK}),
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
    return chunk && chunk.count === CHUNK && chunk.last !== null ? chunk.last : undefined
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

  /** Brings the recent posts of a newly followed person into the follower's home, by the rules of placeForFollowers. */
  async merge(followerId: string, targetId: string, now: Date): Promise<void> {
    await sql`
      insert into feed (account_id, status_id, reblog_of_id)
      select f.account_id, h.id, h.reblog_of_id
      from follow f
      cross join lateral (
        select id, author_id, visibility, reblog_of_id from status_head where author_id = f.target_id order by id desc limit ${MERGED}) h
      join status s on s.id = h.id
      left join status_head original on original.id = h.reblog_of_id
      where f.account_id = ${followerId} and f.target_id = ${targetId}
        and (h.reblog_of_id is null or f.reblogs)
        and (f.languages is null or s.language is null or s.language = any(f.languages))
        and (h.visibility <> 4 or exists (select 1 from mention where status_id = h.id and account_id = f.account_id))
        and (s.in_reply_to_account_id is null or s.in_reply_to_account_id in (h.author_id, f.account_id)
          or exists (select 1 from follow where account_id = f.account_id and target_id = s.in_reply_to_account_id))
        and not exists (select 1 from block b where (b.account_id = f.account_id and (b.target_id = original.author_id
            or b.target_id in (select account_id from mention where status_id = coalesce(h.reblog_of_id, h.id))))
          or (b.account_id = original.author_id and b.target_id = f.account_id))
        and not exists (select 1 from mute m where m.account_id = f.account_id and (m.expires_at is null or m.expires_at > ${now})
          and (m.target_id in (h.author_id, original.author_id)
            or m.target_id in (select account_id from mention where status_id = coalesce(h.reblog_of_id, h.id))))
      on conflict do nothing`.execute(this.tx)
  }

  /** Takes a person's posts, and boosts of them, out of somebody's home; answers with what was there. */
  async clear(accountId: string, targetId: string, { withBoostsOfThem }: { withBoostsOfThem: boolean }): Promise<string[]> {
    const { rows } = await sql<{ status_id: string }>`
      delete from feed using status_head h
      where feed.account_id = ${accountId} and h.id = feed.status_id and (h.author_id = ${targetId} or (${withBoostsOfThem}::boolean
        and feed.reblog_of_id is not null and exists (select 1 from status_head where id = feed.reblog_of_id and author_id = ${targetId})))
      returning feed.status_id`.execute(this.tx)
    return rows.map((row) => row.status_id)
  }
}
