import { hasRow, prepared, preparedPage, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isPublicStatus } from '../../audience/index.ts'
import { countedDays } from '../../content/uses/index.ts'
import { dayOfId } from '../../database/days.store.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** A tag with its first spelling. */
export type NamedTag = { name: string; display: string }

/** A tag with its id; NO_ID if it was never used. */
export type TagRecord = NamedTag & { id: string }

/** The id of a tag without a row. */
export const NO_ID = '0'

/** The uses of a tag on a day, in days since 1970, and the number of accounts. */
export type TagUse = { name: string; day: number; uses: number; accounts: number }

/** The id of a tag, and its first spelling. */
export const readTagRow = prepared('tags.row', ({ name }: { name: string }) =>
  query.selectFrom('tag').select(['id', 'display']).where('name', '=', name),
)

/**
 * Maximum uses of a tag that are counted on reading, the newest. If there are more, the trends' daily counts are read too, which are a minute old at
 * most.
 */
const COUNTED_AT_ONCE = sql.lit(500)

/** Public uses of tags by day, since the day whose first id is `sinceId`: one statement for all tags, with bounded work. */
export const readTagUses = prepared(
  'tags.uses',
  ({ names, sinceId }: { names: readonly string[]; sinceId: string }) => sql<TagUse>`
    with latest as materialized (
      select wanted.name, ${dayOfId('u.status_id')} as day, u.author_id, h.visibility from unnest(${names}::text[]) wanted (name)
      cross join lateral (
        select status_id, author_id from status_tag where name = wanted.name and status_id >= ${sinceId}::bigint
        order by status_id desc limit ${COUNTED_AT_ONCE}) u
      cross join lateral (select visibility from status_head where id = u.status_id offset 0) h),
    popular as materialized (select name from latest group by name having count(*) = ${COUNTED_AT_ONCE}),
    counted as (
      select name, day, count(*)::int uses, count(distinct author_id)::int accounts from latest where ${isPublicStatus('latest')} group by name, day
      union all
      select popular.name, d.day, d.uses, d.accounts from popular cross join lateral (
        ${countedDays({ kind: sql`'tag'`, key: sql.raw('popular.name'), since: dayOfId(sql`${sinceId}::bigint`) })}) d)
    select name, day, max(uses) uses, max(accounts) accounts from counted group by name, day`,
)

type Marks = { name: string; following: boolean; featuring: boolean }

/** Which of some tags the viewer follows and features. */
export const readTagMarks = prepared(
  'tags.marks',
  ({ viewerId, names }: { viewerId: string; names: readonly string[] }) => sql<Marks>`
    select name, ${hasRow(sql`from tag_follow f where f.account_id = ${viewerId} and f.name = wanted.name`)} following,
      ${hasRow(sql`from featured_tag f where f.account_id = ${viewerId} and f.name = wanted.name`)} featuring
    from unnest(${names}::text[]) wanted (name)`,
)

/** The tags an account follows, latest first; a page by min_id comes oldest first. */
export const readFollowed = preparedPage('tags.followed', (given: { followerId: string }, { order, below, above, limit }) =>
  query
    .selectFrom('tagFollow as f')
    .innerJoin('tag as t', 't.name', 'f.name')
    .select(['f.id as cursor', 't.id', 't.name', 't.display'])
    .where('f.accountId', '=', given.followerId)
    .where('f.id', '<', below)
    .where('f.id', '>', above)
    .orderBy('f.id', order)
    .limit(limit),
)

/** Stores tags, and follows of tags. */
export class TagWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Stores a tag, with the given spelling unless it has one. */
  async name({ name, display }: NamedTag, now: Date): Promise<void> {
    const row = { name, display, createdAt: now }
    await this.tx
      .insertInto('tag')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /** Returns whether the tag was not followed before. */
  async follow(followerId: string, name: string, now: Date): Promise<boolean> {
    const query = this.tx.insertInto('tagFollow').values({ accountId: followerId, name, createdAt: now })
    const added = await query
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  }

  /** Returns whether the tag was followed. */
  async unfollow(followerId: string, name: string): Promise<boolean> {
    const query = this.tx.deleteFrom('tagFollow').where('accountId', '=', followerId).where('name', '=', name)
    return (await query.returning('id').executeTakeFirst()) !== undefined
  }
}
