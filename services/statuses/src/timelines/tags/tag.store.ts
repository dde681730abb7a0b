import { hasRow, prepared, preparedPage, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isPublicStatus } from '../../audience/index.ts'
import { query } from '../../database/query.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** A tag with the spelling that came first. */
export type NamedTag = { name: string; display: string }

/** A tag with its id; NO_ID as long as no one used it. */
export type TagRecord = NamedTag & { id: string }

/** In place of the id of a tag without a row. */
export const NO_ID = '0'

/** How often a tag was used on a day, counted in days since 1970, and by how many. */
export type TagUse = { name: string; day: number; uses: number; accounts: number }

/** The id of a tag, and the spelling that came first. */
export const readTagRow = prepared('tags.row', ({ name }: { name: string }) =>
  query.selectFrom('tag').select(['id', 'display']).where('name', '=', name),
)

/** Public uses of tags by day, in statuses with ids from `sinceId` on: one statement for all. */
export const readTagUses = prepared(
  'tags.uses',
  ({ names, sinceId }: { names: readonly string[]; sinceId: string }) => sql<TagUse>`
    select t.name, ((t.status_id >> 16) / 86400000)::int as day, count(*)::int uses, count(distinct h.author_id)::int accounts
    from status_tag t join status_head h on h.id = t.status_id
    where t.name = any(${names}::text[]) and t.status_id >= ${sinceId} and ${isPublicStatus('h')} group by 1, 2`,
)

type Marks = { name: string; following: boolean; featuring: boolean }

/** Which of some tags the viewer follows, and which they show on their profile. */
export const readTagMarks = prepared(
  'tags.marks',
  ({ viewerId, names }: { viewerId: string; names: readonly string[] }) => sql<Marks>`
    select name, ${hasRow(sql`from tag_follow f where f.account_id = ${viewerId} and f.name = wanted.name`)} following,
      ${hasRow(sql`from featured_tag f where f.account_id = ${viewerId} and f.name = wanted.name`)} featuring
    from unnest(${names}::text[]) wanted (name)`,
)

/** Which tags someone follows, the latest first; a page by min_id comes oldest first. */
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

/** Follows tags and ceases to. */
export class TagWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Makes a tag known, in the spelling given unless it had one. */
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
