import { ApplyActRequest } from '@rookery/contracts/statuses'
import { cursorsOf, type Db, keyset, type Page, type Tx } from '@rookery/database'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { AuthTables } from '../database/schema.ts'
import type { StaffActTable } from '../database/tables/staff-act.ts'

/** An act that statuses has not applied yet. */
type UnfinishedAct = { actId: string; request: ApplyActRequest }

export type StaffActRow = Selectable<StaffActTable>

/** The maximum number of acts on an account per run. */
const AT_A_TIME = 100

export class ActReader {
  protected readonly db: Db<AuthTables>

  constructor(db: Db<AuthTables>) {
    this.db = db
  }

  /** A page of the log, latest first. */
  async page(page: Page): Promise<StaffActRow[]> {
    const { below, above, order, limit } = keyset(page)
    const query = this.db.selectFrom('staffAct').selectAll().where('id', '<', below).where('id', '>', above)
    return cursorsOf(page, await query.orderBy('id', order).limit(limit).execute(), ({ id }) => id).rows
  }

  /** The acts on an account that statuses has not applied yet, in order. */
  async unfinished(accountId: string): Promise<UnfinishedAct[]> {
    const query = this.db.selectFrom('unfinishedAct').select(['actId', 'request']).where('accountId', '=', accountId)
    const rows = await query.orderBy('actId').limit(AT_A_TIME).execute()
    return rows.map(({ actId, request }) => ({ actId, request: ApplyActRequest.decode(request) }))
  }
}

export class ActWriter extends ActReader {
  constructor(tx: Tx<AuthTables>) {
    super(tx)
  }

  /** Serialises acts on an account, so that they commit in the order of their ids. Needed where there is no login to lock. */
  async inOrder(accountId: string): Promise<void> {
    await sql`select pg_advisory_xact_lock(hashtextextended('auth.acts', ${accountId}::bigint))`.execute(this.db)
  }

  /** Adds an act to the log and returns its id. */
  async add(act: Insertable<StaffActTable>): Promise<string> {
    return (await this.db.insertInto('staffAct').values(act).returning('id').executeTakeFirstOrThrow()).id
  }

  async addAll(acts: readonly Insertable<StaffActTable>[]): Promise<void> {
    await this.db
      .insertInto('staffAct')
      .values([...acts])
      .execute()
  }

  async addUnfinished({ actId, request }: UnfinishedAct): Promise<void> {
    const row = { actId, accountId: request.accountId, request: Buffer.from(ApplyActRequest.encode(request).finish()) }
    await this.db.insertInto('unfinishedAct').values(row).execute()
  }

  async finish(actId: string): Promise<void> {
    await this.db.deleteFrom('unfinishedAct').where('actId', '=', actId).execute()
  }
}
