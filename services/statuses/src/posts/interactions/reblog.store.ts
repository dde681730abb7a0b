import type { Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { nextStatusId } from '../statuses/index.ts'

export class ReblogWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks the boosted status; its visibility and author, or undefined if it is deleted. */
  async original(id: string): Promise<{ visibility: number; authorId: string } | undefined> {
    return this.tx.selectFrom('statusHead').select(['visibility', 'authorId']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  }

  async boostOf(originalId: string, authorId: string): Promise<string | undefined> {
    // As a range in index order, so that Postgres cannot assume that a status has one boost, and read all of them.
    const query = this.tx
      .selectFrom('statusHead')
      .select('id')
      .where('reblogOfId', '=', originalId)
      .where(({ between }) => between('authorId', authorId, authorId))
      .orderBy('authorId')
      .limit(1)
    return (await query.executeTakeFirst())?.id
  }

  /** The booster's default visibility, and whether they have moved. */
  async defaults(accountId: string): Promise<{ locked: boolean; defaultPrivacy: number | null; movedToId: string | null } | undefined> {
    const query = this.tx.selectFrom('account').select(['locked', 'defaultPrivacy', 'movedToId'])
    return query.where('id', '=', accountId).executeTakeFirst()
  }

  /**
   * Writes a boost: head, empty body, the booster's own feed entry and the counts, in one statement. With `isOrdered` it fails if the booster has
   * published a higher id (`isOvertaken`). Remote boosters have no feed, and their own server counts their statuses.
   */
  async add(boost: {
    id: string
    authorId: string
    originalId: string
    visibility: number
    now: Date
    isOrdered: boolean
    /** Set for a boost by a remote account. */
    uri?: string
  }): Promise<void> {
    const uri = boost.uri ?? null
    const id = sql`(select id from head)`
    await sql`
      with booster as materialized (select domain is null is_local from account where id = ${boost.authorId}),
      head as (
        insert into status_head (id, author_id, visibility, reblog_of_id, is_listed, is_reply_to_other, has_media, is_local, thread_id)
        select ${boost.id}::bigint, ${boost.authorId}::bigint, ${boost.visibility}::smallint, id, false, false, false,
          (select is_local from booster), thread_id
        from status_head where id = ${boost.originalId} returning id),
      body as (
        insert into status (id, author_id, text, spoiler_text, sensitive, content, created_at, mentions, tags, attachments, uri, url)
        select id, ${boost.authorId}::bigint, '', '', false, '', ${boost.now}::timestamptz, '[]', '{}', '[]', ${uri}::text, ${uri}::text from head),
      own_feed as (insert into feed (account_id, status_id, reblog_of_id)
        select ${boost.authorId}::bigint, id, ${boost.originalId}::bigint from head join booster on is_local
        -- Not near the original or another boost of it (beyond-the-spec 1.12).
        where not exists (
          select 1 from (select status_id, reblog_of_id from feed where account_id = ${boost.authorId} order by status_id desc limit 80) near
          where near.status_id = ${boost.originalId} or near.reblog_of_id = ${boost.originalId})),
      counted as (update status_head set reblogs = reblogs + 1 where id = ${boost.originalId})
      update account set statuses_count = statuses_count + case when domain is null then 1 else 0 end, version = version + 1,
        last_status_id = ${nextStatusId({ first: id, last: id, isOrdered: sql.val(boost.isOrdered) })},
        last_status_on = greatest(last_status_on, (${boost.now}::timestamptz at time zone 'UTC')::date)
      where id = ${boost.authorId}`.execute(this.tx)
  }
}
