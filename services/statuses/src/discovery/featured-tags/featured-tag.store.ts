import { type Database, hasRow, prepared, type Tx } from '@rookery/database'
import { sql } from 'kysely'
import { isNotSuspended, isThere } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { NamedTag, TagRecord } from '../../timelines/tags/index.ts'

/** A featured tag, with the number of its owner's public and unlisted statuses with it, and the day of the latest. */
type FeaturedTagRow = {
  id: string
  display: string
  name: string
  ownerUsername: string
  statusesCount: number
  lastStatusOn: string | undefined
}

/** An account without featured tags has one row without an id; so has a suspended one. */
type Row = Omit<FeaturedTagRow, 'id' | 'lastStatusOn'> & { id: string | null; lastStatusOn: string | null }

const list = prepared(
  'featured-tags.list',
  ({ accountId }: { accountId: string }) => sql<Row>`
    select f.id, f.display, f.name, a.username || coalesce('@' || a.domain, '') owner_username, said.count statuses_count,
      to_char(to_timestamp((said.latest >> 16) / 1000) at time zone 'UTC', 'YYYY-MM-DD') last_status_on
    from account a left join featured_tag f on f.account_id = a.id and ${isNotSuspended('a')}
    left join lateral (
      select count(*)::int count, max(t.status_id) latest from status_tag t
      where t.author_id = a.id and t.name = f.name and t.is_open) said on true
    where a.id = ${accountId} and ${isThere('a')} order by said.count desc, f.name`,
)

/** The featured tags of an account, the most used first; undefined if there is no such account. */
export const readFeaturedTags = async (database: Database<StatusesTables>, accountId: string): Promise<FeaturedTagRow[] | undefined> => {
  const rows = await list(database, { accountId })
  if (rows.length === 0) return undefined
  return rows.flatMap(({ id, lastStatusOn, ...row }) => (id === null ? [] : { ...row, id, lastStatusOn: lastStatusOn ?? undefined }))
}

/** Number of latest statuses whose tags are counted. */
const RECENT = sql.lit(1000)

/**
 * The most used tags in an account's latest public and unlisted statuses that it does not feature. The statuses are walked one by one: the planner
 * assumes few statuses per account, and would read and sort all of them.
 */
export const readSuggestions = prepared(
  'featured-tags.suggestions',
  ({ accountId, limit }: { accountId: string; limit: number }) => sql<TagRecord>`
    with recursive recent as (
      (select id, 1 place from status_head where author_id = ${accountId} order by id desc limit 1)
      union all
      select older.id, recent.place + 1 from recent cross join lateral (
        select id from status_head where author_id = ${accountId} and id < recent.id order by id desc limit 1) older
      where recent.place < ${RECENT})
    select t.id, t.name, t.display from recent r
    cross join lateral (select name, is_open from status_tag where status_id = r.id offset 0) s
    cross join lateral (select id, name, display from tag where name = s.name offset 0) t
    where s.is_open and not ${hasRow(sql`from featured_tag f where f.account_id = ${accountId} and f.name = t.name`)}
    group by t.id, t.name, t.display order by count(*) desc, max(r.id) desc limit ${limit}`,
)

/** Changes an account's featured tags. */
export class FeaturedTagWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Locks the account, so that concurrent additions are counted one after the other, and returns the names of its featured tags. */
  async lock(accountId: string): Promise<string[]> {
    await sql`select 1 from account where id = ${accountId} for no key update`.execute(this.tx)
    const rows = await this.tx.selectFrom('featuredTag').select('name').where('accountId', '=', accountId).execute()
    return rows.map((row) => row.name)
  }

  /** Locks a remote account; false if there is none. */
  async lockRemote(accountId: string): Promise<boolean> {
    const { rows } = await sql`
      select 1 from account where id = ${accountId} and domain is not null and closed_at is null for no key update`.execute(this.tx)
    return rows.length > 0
  }

  /** Deletes the featured tags that are not among these names; returns the names that stay. */
  async keepOnly(accountId: string, names: readonly string[]): Promise<string[]> {
    const isOther = sql<boolean>`name <> all(${[...names]}::text[])`
    await this.tx.deleteFrom('featuredTag').where('accountId', '=', accountId).where(isOther).execute()
    const rows = await this.tx.selectFrom('featuredTag').select('name').where('accountId', '=', accountId).execute()
    return rows.map((row) => row.name)
  }

  async add(accountId: string, tag: NamedTag, now: Date): Promise<void> {
    const row = { accountId, name: tag.name, display: tag.display, createdAt: now }
    await this.tx.insertInto('featuredTag').values(row).execute()
  }

  /** Returns whether the account had this featured tag. */
  async remove(accountId: string, id: string): Promise<boolean> {
    const query = this.tx.deleteFrom('featuredTag').where('id', '=', id).where('accountId', '=', accountId)
    return (await query.returning('id').executeTakeFirst()) !== undefined
  }

  /** Returns whether the tag was featured. */
  async removeByName(accountId: string, name: string): Promise<boolean> {
    const query = this.tx.deleteFrom('featuredTag').where('accountId', '=', accountId).where('name', '=', name)
    return (await query.returning('id').executeTakeFirst()) !== undefined
  }
}
