import { anyOf, type Tx } from '@rookery/database'
import { dayOf } from '@rookery/runtime'
import { sql } from 'kysely'
import { isNotDirectStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Changes, Entry } from './feed.rules.ts'

/** What stands in the rows of a home. */
type StoredHome = { entries: Entry[]; floorId: string; isResting: boolean }

/** The homes of single people. Who writes has claimed the feeds. */
export class HomeWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** A home as it is stored, oldest first; undefined for no one. */
  async read(accountId: string): Promise<StoredHome | undefined> {
    const { rows } = await sql<{ floorId: string; isResting: boolean }>`
      select coalesce(h.floor_id, 0) "floorId", coalesce(h.is_resting, false) "isResting"
      from account a left join home h on h.account_id = a.id where a.id = ${accountId}`.execute(this.tx)
    const [row] = rows
    if (!row) return undefined
    const entries = this.tx.selectFrom('feed').select(['statusId', 'reblogOfId'])
    return { ...row, entries: await entries.where('accountId', '=', accountId).orderBy('statusId').execute() }
  }

  /** The lists someone keeps, which are made of the same statuses. */
  async listsOf(accountId: string): Promise<string[]> {
    const rows = await this.tx.selectFrom('list').select('id').where('accountId', '=', accountId).execute()
    return rows.map(({ id }) => id)
  }

  /** The lists someone keeps whose members' statuses are on no home. */
  async exclusiveListsOf(accountId: string): Promise<string[]> {
    const query = this.tx.selectFrom('list').select('id').where('accountId', '=', accountId).where('isExclusive', '=', true)
    return (await query.execute()).map(({ id }) => id)
  }

  /** The newest statuses of some people, so many of all. */
  async newestOf(accountIds: readonly string[], max: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select newest.id from unnest(${[...accountIds]}::bigint[]) author (id) cross join lateral (
        select h.id from status_head h where h.author_id = author.id and ${isNotDirectStatus('h')} order by h.id desc limit ${max}) newest
      order by newest.id desc limit ${max}`.execute(this.tx)
    return rows.map(({ id }) => id)
  }

  /** Takes entries out and puts others in, and keeps from where on the home is stored. */
  async change(accountId: string, { gone, come }: Changes, floorId: string, now: Date): Promise<void> {
    if (gone.length > 0) await this.tx.deleteFrom('feed').where('accountId', '=', accountId).where('statusId', '=', anyOf(gone)).execute()
    if (come.length > 0) {
      await sql`
        insert into feed (account_id, status_id, reblog_of_id) select ${accountId}::bigint, status_id, reblog_of_id
        from unnest(${come.map(({ statusId }) => statusId)}::bigint[], ${come.map(({ reblogOfId }) => reblogOfId)}::bigint[])
          as come (status_id, reblog_of_id) on conflict do nothing`.execute(this.tx)
    }
    await sql`
      insert into home (account_id, floor_id, read_on) values (${accountId}, ${floorId}, ${dayOf(now.getTime())})
      on conflict (account_id) do update set floor_id = excluded.floor_id where home.floor_id <> excluded.floor_id`.execute(this.tx)
  }

  /** Ends the rest of a home whose owner is back. */
  async wake(accountId: string, now: Date): Promise<void> {
    await sql`update home set is_resting = false, read_on = ${dayOf(now.getTime())} where account_id = ${accountId}`.execute(this.tx)
  }

  /** Lets homes rest that no one has read since a day, at most so many; returns how many there were. */
  async rest(before: string, max: number): Promise<number> {
    const { rows } = await sql<{ accountId: string }>`
      update home set is_resting = true, floor_id = 0
      where account_id in (select account_id from home where not is_resting and read_on < ${before} order by read_on limit ${max})
      returning account_id`.execute(this.tx)
    const ids = rows.map(({ accountId }) => accountId)
    if (ids.length > 0) await this.tx.deleteFrom('feed').where('accountId', '=', anyOf(ids)).execute()
    return ids.length
  }
}
