import { type Database, inBothOrders, keyset, type Page, type Statement, sqlText, statement, type Tx } from '@rookery/database'
import { isPublicStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'

/** A tag with the spelling that came first. */
export type NamedTag = { name: string; display: string }

/** A tag with its id; NO_ID as long as nobody used it. */
export type TagRecord = NamedTag & { id: string }

/** In place of the id of a tag without a row. */
export const NO_ID = '0'

/** How often a tag was used on a day, counted in days since 1970, and by how many. */
export type TagUse = { name: string; day: number; uses: number; accounts: number }

/** The id of a tag, and the spelling that came first. */
export const readTagRow = statement<[id: string, display: string]>('tags.row', 'select id, display from tag where name = $1')

const readUses = statement<[name: string, day: number, uses: number, accounts: number]>(
  'tags.uses',
  sqlText`select t.name, ((t.status_id >> 16) / 86400000)::int as day, count(*)::int, count(distinct h.author_id)::int
   from status_tag t join status_head h on h.id = t.status_id
   where t.name = any($1::text[]) and t.status_id >= $2 and ${isPublicStatus('h')} group by 1, 2`,
)

/** Public uses of tags by day, in statuses with ids from `sinceId` on: one statement for all. */
export const readTagUses = async (database: Database<StatusesTables>, names: readonly string[], sinceId: string): Promise<TagUse[]> => {
  const rows = await readUses(database, [names, sinceId])
  return rows.map(([name, day, uses, accounts]) => ({ name, day, uses, accounts }))
}

/** Which of the tags $2 the viewer $1 follows, and which they show on their profile. */
export const readTagMarks = statement<[name: string, following: boolean, featuring: boolean]>(
  'tags.marks',
  `select name, exists (select 1 from tag_follow f where f.account_id = $1 and f.name = wanted.name),
     exists (select 1 from featured_tag f where f.account_id = $1 and f.name = wanted.name)
   from unnest($2::text[]) wanted (name)`,
)

type FollowedRow = [cursor: string, id: string, name: string, display: string]

/** $1 follower, $2 below, $3 above, $4 limit. */
const followed = (order: 'asc' | 'desc'): Statement<FollowedRow> =>
  statement(
    `tags.followed-${order}`,
    `select f.id, t.id, t.name, t.display from tag_follow f join tag t on t.name = f.name
     where f.account_id = $1 and f.id < $2 and f.id > $3 order by f.id ${order} limit $4`,
  )

const FOLLOWED = inBothOrders(followed)

/** Which tags somebody follows, the latest first; a page by min_id comes oldest first. */
export const readFollowed = async (
  database: Database<StatusesTables>,
  followerId: string,
  page: Page,
): Promise<(TagRecord & { cursor: string })[]> => {
  const { order, bounds } = keyset(page)
  return (await FOLLOWED[order](database, [followerId, ...bounds])).map(([cursor, id, name, display]) => ({
    cursor,
    id,
    name,
    display,
  }))
}

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

  /** Answers whether the tag was not followed before. */
  async follow(followerId: string, name: string, now: Date): Promise<boolean> {
    const query = this.tx.insertInto('tagFollow').values({ accountId: followerId, name, createdAt: now })
    const added = await query
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  }

  /** Answers whether the tag was followed. */
  async unfollow(followerId: string, name: string): Promise<boolean> {
    const query = this.tx.deleteFrom('tagFollow').where('accountId', '=', followerId).where('name', '=', name)
    return (await query.returning('id').executeTakeFirst()) !== undefined
  }
}
