import { applyPage, type Db, type Page, type Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import { isReachable } from '../../audience/index.ts'
import { hasCopyOf, withCopyChanged } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { ScheduledStatusTable } from '../../database/tables/scheduled.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { dayOf } from './scheduled.rules.ts'

export type ScheduledRow = Selectable<ScheduledStatusTable>

/** Rows per batch of overdue statuses. */
const AT_A_TIME = 100

export class ScheduledReader {
  protected readonly db: Db<StatusesTables> | Tx<StatusesTables>

  constructor(db: Db<StatusesTables> | Tx<StatusesTables>) {
    this.db = db
  }

  async find(id: string, accountId: string): Promise<ScheduledRow | undefined> {
    const query = this.db.selectFrom('scheduledStatus').selectAll()
    return query.where('id', '=', id).where('accountId', '=', accountId).executeTakeFirst()
  }

  /** The scheduled status that an account's key created since a time. */
  async findByKey(accountId: string, key: string, since: Date): Promise<ScheduledRow | undefined> {
    const made = this.db.selectFrom('idempotencyKey').select('statusId')
    const recent = made.where('accountId', '=', accountId).where('key', '=', key).where('createdAt', '>=', since)
    const query = this.db.selectFrom('scheduledStatus').selectAll()
    return query.where('id', '=', recent).where('accountId', '=', accountId).executeTakeFirst()
  }

  /** A page of an account's scheduled statuses, or of its drafts, in order of reading. A draft that missed its time is in both. */
  async list(accountId: string, { page, drafts }: { page: Page; drafts: boolean }): Promise<ScheduledRow[]> {
    const query = this.db.selectFrom('scheduledStatus').selectAll().where('accountId', '=', accountId)
    const wanted = drafts
      ? query.where('scheduledAt', 'is', null)
      : query.where(({ eb, or }) => or([eb('scheduledAt', 'is not', null), eb('missedAt', 'is not', null)]))
    return applyPage(wanted, 'id', page).execute()
  }

  /** The number of an account's other scheduled statuses, in total and on a day. */
  async countOthers(accountId: string, { than, at }: { than: string; at: Date | null }): Promise<{ inAll: number; onDay: number }> {
    const { begins, ends } = at ? dayOf(at) : { begins: null, ends: null }
    const { rows } = await sql<{ inAll: number; onDay: number }>`
      select count(*)::int "inAll", (count(*) filter (where scheduled_at >= ${begins} and scheduled_at < ${ends}))::int "onDay"
      from scheduled_status where account_id = ${accountId} and id <> ${than}`.execute(this.db)
    return rows[0]!
  }

  /** A scheduled status, and whether its author may post; undefined if it is deleted. */
  async findDue(id: string): Promise<(ScheduledRow & { mayPost: boolean }) | undefined> {
    const query = this.db.selectFrom('scheduledStatus').innerJoin('account', 'account.id', 'scheduledStatus.accountId')
    const mayPost = sql<boolean>`${isReachable()}`.as('mayPost')
    return query.selectAll('scheduledStatus').select(mayPost).where('scheduledStatus.id', '=', id).executeTakeFirst()
  }

  /** A batch of statuses overdue at a time, the oldest first, after the last of the previous batch. */
  async overdue(before: Date, last: { at: Date; id: string } | undefined): Promise<{ id: string; at: Date }[]> {
    const { rows } = await sql<{ id: string; at: Date }>`
      select id, scheduled_at at from scheduled_status
      where scheduled_at < ${before} and (scheduled_at, id) > (${last?.at ?? new Date(0)}::timestamptz, ${last?.id ?? '0'}::bigint)
      order by scheduled_at, id limit ${AT_A_TIME}`.execute(this.db)
    return rows
  }
}

/** The columns of a new scheduled status. */
export type NewScheduled = Omit<ScheduledRow, 'version'>

/** The columns that a change may set. */
type ScheduledChange = Pick<
  ScheduledRow,
  | 'scheduledAt'
  | 'missedAt'
  | 'text'
  | 'spoilerText'
  | 'sensitive'
  | 'visibility'
  | 'language'
  | 'inReplyToId'
  | 'quotedId'
  | 'quotePolicy'
  | 'poll'
  | 'attachments'
>

const jsonOf = <T extends Pick<ScheduledRow, 'poll' | 'attachments'>>(row: T) => ({
  ...row,
  poll: row.poll && JSON.stringify(row.poll),
  attachments: JSON.stringify(row.attachments),
})

export class ScheduledWriter extends ScheduledReader {
  constructor(tx: Tx<StatusesTables>) {
    super(tx)
  }

  /** Uses the id reserved by a key for a scheduled status; false if the reservation is gone, or a record has the id already. */
  async takeKey({ accountId, key, id }: { accountId: string; key: string; id: string }): Promise<boolean> {
    // Lock first, then read: a statement that waited for the lock would read the old state.
    await sql`
      select 1 from idempotency_key where account_id = ${accountId} and key = ${key} and status_id = ${id} for update`.execute(this.db)
    const { rows } = await sql`
      update idempotency_key set is_scheduled = true where account_id = ${accountId} and key = ${key} and status_id = ${id}
        and not exists (select 1 from status_head where id = ${id}) and not exists (select 1 from scheduled_status where id = ${id})
      returning key`.execute(this.db)
    return rows.length > 0
  }

  /** Serialises counting an account's scheduled statuses, until the transaction ends. */
  async holdCount(accountId: string): Promise<void> {
    await sql`select 1 from account where id = ${accountId} for no key update`.execute(this.db)
  }

  /** Adds a scheduled status; false if its id is taken. */
  async add(row: NewScheduled): Promise<boolean> {
    const query = this.db.insertInto('scheduledStatus').values(jsonOf(row))
    const added = await query
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  }

  /** Locks a scheduled status if its version is unchanged; otherwise false. */
  async lock({ id, version }: { id: string; version: number }): Promise<boolean> {
    const query = this.db.selectFrom('scheduledStatus').select('id').where('id', '=', id).where('version', '=', version)
    return (await query.forUpdate().executeTakeFirst()) !== undefined
  }

  async change(id: string, change: ScheduledChange): Promise<void> {
    const values = { ...jsonOf(change), version: sql<number>`version + 1` }
    await this.db.updateTable('scheduledStatus').set(values).where('id', '=', id).execute()
  }

  /** Turns a scheduled status into a draft with its missed time, if its version is unchanged; otherwise false. */
  async miss(
    { id, version }: { id: string; version: number },
    { isReply, isQuote }: { isReply: boolean; isQuote: boolean },
  ): Promise<boolean> {
    const { rows } = await sql`
      update scheduled_status set scheduled_at = null, missed_at = scheduled_at, version = version + 1,
        in_reply_to_id = case when ${isReply} then in_reply_to_id end, quoted_id = case when ${isQuote} then quoted_id end
      where id = ${id} and version = ${version} returning id`.execute(this.db)
    return rows.length > 0
  }

  /** Deletes an account's scheduled status, with its key; undefined if there is none. */
  async remove(one: { id: string; accountId: string }): Promise<Pick<ScheduledRow, 'id' | 'attachments'> | undefined> {
    const query = this.db.deleteFrom('scheduledStatus').where('id', '=', one.id).where('accountId', '=', one.accountId)
    const removed = await query.returning(['id', 'attachments']).executeTakeFirst()
    if (removed) await this.db.deleteFrom('idempotencyKey').where('statusId', '=', one.id).execute()
    return removed
  }

  /** Changes the display copy of a file on its scheduled status. */
  async redescribe({ id, mediaId, change }: { id: string; mediaId: string; change: Partial<StoredAttachment> }): Promise<void> {
    await sql`
      update scheduled_status set version = version + 1, attachments = ${withCopyChanged(mediaId, change)}
      where id = ${id} and ${hasCopyOf(mediaId)}`.execute(this.db)
  }
}
