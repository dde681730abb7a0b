import { anyOf, type Tx } from '@rookery/database'
import { dayOf } from '@rookery/runtime'
import { sql } from 'kysely'
import { isNotDirectStatus } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Changes, Entry } from './feed.rules.ts'

/** The stored state of a home. */
type StoredHome = { entries: Entry[]; floorId: string; isResting: boolean }

/** Writes the homes of single accounts. The caller must hold the claim on feeds. */
export class HomeWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** A stored home, oldest entry first; undefined if there is no such account. */
  async read(accountId: string): Promise<StoredHome | undefined> {
    const { rows } = await sql<{ floorId: string; isResting: boolean }>`
      select coalesce(h.floor_id, 0) "floorId", coalesce(h.is_resting, false) "isResting"
      from account a left join home h on h.account_id = a.id where a.id = ${accountId}`.execute(this.tx)
    const [row] = rows
    if (!row) return undefined
    const entries = this.tx.selectFrom('feed').select(['statusId', 'reblogOfId'])
    return { ...row, entries: await entries.where('accountId', '=', accountId).orderBy('statusId').execute() }
  }

  /** The lists of an account. */
  async listsOf(accountId: string): Promise<string[]> {
    const rows = await this.tx.selectFrom('list').select('id').where('accountId', '=', accountId).execute()
    return rows.map(({ id }) => id)
  }

  /** The exclusive lists of an account. */
  async exclusiveListsOf(accountId: string): Promise<string[]> {
    const query = this.tx.selectFrom('list').select('id').where('accountId', '=', accountId).where('isExclusive', '=', true)
    return (await query.execute()).map(({ id }) => id)
  }

  /** The newest statuses of some accounts, at most `max` in total. */
  async newestOf(accountIds: readonly string[], max: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select newest.id from unnest(${[...accountIds]}::bigint[]) author (id) cross join lateral (
        select h.id from status_head h where h.author_id = author.id and ${isNotDirectStatus('h')} order by h.id desc limit ${max}) newest
      order by newest.id desc limit ${max}`.execute(this.tx)
    return rows.map(({ id }) => id)
  }

  /** Removes and adds entries, and stores the floor. */
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

  /** Ends the eviction of a home whose owner returned. */
  async wake(accountId: string, now: Date): Promise<void> {
    await sql`update home set is_resting = false, read_on = ${dayOf(now.getTime())} where account_id = ${accountId}`.execute(this.tx)
  }

  /** Evicts homes last read before a day, at most `max`; returns how many. */
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
