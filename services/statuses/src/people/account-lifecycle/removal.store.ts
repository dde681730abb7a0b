import type { Db, Tx } from '@rookery/database'
import { sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { bumpVersions } from '../../database/status-version.store.ts'

/** Maximum rows removed per transaction, so that none holds locks for long. */
export const CHUNK = 500
/** Maximum statuses removed per transaction: much else is deleted with each. */
const STATUSES = 50

export class RemovalReader {
  protected readonly db: Db<StatusesTables> | Tx<StatusesTables>

  constructor(db: Db<StatusesTables> | Tx<StatusesTables>) {
    this.db = db
  }

  /** Accounts that are closed but not yet removed, the first closed first. */
  async closed(): Promise<string[]> {
    const query = this.db.selectFrom('account').select('id').where('closedAt', 'is not', null).orderBy('closedAt')
    return (await query.limit(CHUNK).execute()).map(({ id }) => id)
  }

  /** The username of an account that staff suspended; undefined for any other. */
  async suspended(accountId: string): Promise<string | undefined> {
    const query = this.db.selectFrom('account').select('username').where('id', '=', accountId).where('isSuspended', '=', true)
    return (await query.executeTakeFirst())?.username
  }

  /** A batch of an account's statuses, newest first, limited by the number of their boosts; at least one. */
  async statuses(accountId: string): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from (
        select id, sum(reblogs) over (order by id desc) - reblogs before from (
          select id, reblogs from status_head where author_id = ${accountId} order by id desc limit ${STATUSES}) newest) counted
      where before < ${CHUNK} order by id desc`.execute(this.db)
    return rows.map(({ id }) => id)
  }

  /** A batch of the statuses an account favourited. */
  async favourited(accountId: string): Promise<string[]> {
    const query = this.db.selectFrom('favourite').select('statusId as id').where('accountId', '=', accountId)
    return (await query.orderBy('id', 'desc').limit(CHUNK).execute()).map(({ id }) => id)
  }
}

export class RemovalWriter extends RemovalReader {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    super(tx)
    this.tx = tx
  }

  /**
   * Closes an account and blanks its profile; a remote handle becomes free at once. Returns the username and whether the account is local; undefined
   * if it was closed already, or does not exist.
   */
  async close(accountId: string, now: Date): Promise<{ username: string; isLocal: boolean } | undefined> {
    const { rows } = await sql<{ username: string; isLocal: boolean }>`
      update account set closed_at = ${now}, is_active = false, version = version + 1, display_name = '', note = '', note_html = '',
        fields = '[]', avatar_url = '', avatar_static_url = '', header_url = '', header_static_url = '',
        username = case when domain is null then username else id::text end
      where id = ${accountId} and closed_at is null returning username, domain is null "isLocal"`.execute(this.tx)
    return rows[0]
  }

  /** Ends a batch of an account's follows in one direction, and updates the other accounts' counts; returns the other accounts. */
  async endFollows(accountId: string, direction: 'following' | 'followers'): Promise<string[]> {
    const [own, other] = direction === 'following' ? ['account_id', 'target_id'] : ['target_id', 'account_id']
    const count = direction === 'following' ? 'followers_count' : 'following_count'
    const { rows: some } = await sql<{ id: string; other: string }>`
      select id, ${sql.ref(other)} other from follow where ${sql.ref(own)} = ${accountId} order by id limit ${CHUNK}`.execute(this.tx)
    if (some.length === 0) return []
    await this.lockAccounts(some.map((row) => row.other))
    await sql`
      with gone as (delete from follow where ${sql.ref(own)} = ${accountId} and id = any(${some.map(({ id }) => id)}::bigint[]) returning ${sql.ref(other)} other)
      update account set ${sql.ref(count)} = greatest(0, ${sql.ref(count)} - 1), version = version + 1 where id in (select other from gone)`.execute(
      this.tx,
    )
    return some.map((row) => row.other)
  }

  /** Withdraws a batch of an account's follow requests; returns how many. */
  async withdrawRequests(accountId: string): Promise<number> {
    const { rows: some } = await sql<{ id: string; targetId: string }>`
      select id, target_id from (select id, target_id from follow_request where account_id = ${accountId} offset 0) own
      order by id limit ${CHUNK}`.execute(this.tx)
    if (some.length === 0) return 0
    await this.lockAccounts(some.map((row) => row.targetId))
    await sql`
      with gone as (delete from follow_request where id = any(${some.map(({ id }) => id)}::bigint[]) returning target_id)
      update account set follow_requests_count = greatest(0, follow_requests_count - 1), version = version + 1
      where id in (select target_id from gone)`.execute(this.tx)
    return some.length
  }

  /** Removes an account from the mentions of a batch of statuses; returns how many. */
  async endMentions(accountId: string): Promise<number> {
    const { rows: some } = await sql<{ id: string }>`
      select id from status_head where id = any(array(
        select status_id from mention where account_id = ${accountId} order by status_id desc limit ${CHUNK}))
      order by id for no key update`.execute(this.tx)
    const ids = some.map(({ id }) => id)
    if (ids.length === 0) return 0
    await sql`delete from mention where account_id = ${accountId} and status_id = any(${ids}::bigint[])`.execute(this.tx)
    await sql`
      update status set mentions = (
        select coalesce(jsonb_agg(value order by place), '[]') from jsonb_array_elements(mentions) with ordinality as each (value, place)
        where value ->> 'id' <> ${accountId}::text)
      where id = any(${ids}::bigint[])`.execute(this.tx)
    await bumpVersions(this.tx, ids)
    return ids.length
  }

  /** Deletes a batch of rows that no one else sees or counts; returns how many. */
  async removeOwn(accountId: string, table: 'feed' | 'bookmark'): Promise<number> {
    const { rows } = await sql`
      with part as (select status_id from ${sql.table(table)} where account_id = ${accountId} limit ${CHUNK})
      delete from ${sql.table(table)} where account_id = ${accountId} and status_id in (select status_id from part) returning status_id`.execute(
      this.tx,
    )
    return rows.length
  }

  /** Deletes the account's row with the remaining small data, unless large data was added meanwhile; returns whether it was deleted. */
  async remove(accountId: string): Promise<boolean> {
    const { rows } = await sql<{ username: string; isLocal: boolean }>`
      delete from account where id = ${accountId} and closed_at is not null
        and not exists (select 1 from status_head where author_id = ${accountId})
        and not exists (select 1 from follow where account_id = ${accountId})
        and not exists (select 1 from follow where target_id = ${accountId})
        and not exists (select 1 from favourite where account_id = ${accountId})
        and not exists (select 1 from announcement_reaction where account_id = ${accountId})
      returning username, domain is null "isLocal"`.execute(this.tx)
    const [gone] = rows
    if (!gone) return false
    if (gone.isLocal) {
      await sql`insert into reserved_username (username) values (${gone.username.toLowerCase()}) on conflict do nothing`.execute(this.tx)
    }
    await sql`delete from idempotency_key where account_id = ${accountId}`.execute(this.tx)
    return true
  }

  /** Locks the other accounts of ended associations, lower id first as every writer does. */
  private async lockAccounts(ids: readonly string[]): Promise<void> {
    await sql`select 1 from account where id = any(${[...ids]}::bigint[]) order by id for no key update`.execute(this.tx)
  }
}
