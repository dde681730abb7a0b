import { applyPage, type Db, type Page, type Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import { hasCopyOf, withCopyChanged } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { ScheduledStatusTable } from '../../database/tables/scheduled.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { dayOf } from './scheduled.rules.ts'

export type ScheduledRow = Selectable<ScheduledStatusTable>

/** Rows of one part of a backlog. */
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

  /** What someone's key made since a moment. */
  async findByKey(accountId: string, key: string, since: Date): Promise<ScheduledRow | undefined> {
    const made = this.db.selectFrom('idempotencyKey').select('statusId')
    const recent = made.where('accountId', '=', accountId).where('key', '=', key).where('createdAt', '>=', since)
    const query = this.db.selectFrom('scheduledStatus').selectAll()
    return query.where('id', '=', recent).where('accountId', '=', accountId).executeTakeFirst()
  }

  /** A part of what someone scheduled, or of their drafts, in the order it was read. A draft that missed its time is both. */
  async list(accountId: string, { page, drafts }: { page: Page; drafts: boolean }): Promise<ScheduledRow[]> {
    const query = this.db.selectFrom('scheduledStatus').selectAll().where('accountId', '=', accountId)
    const wanted = drafts
      ? query.where('scheduledAt', 'is', null)
      : query.where(({ eb, or }) => or([eb('scheduledAt', 'is not', null), eb('missedAt', 'is not', null)]))
    return applyPage(wanted, 'id', page).execute()
  }

  /** Of someone's others, how many there are in all and on the day of a moment. */
  async countOthers(accountId: string, { than, at }: { than: string; at: Date | null }): Promise<{ inAll: number; onDay: number }> {
    const { begins, ends } = at ? dayOf(at) : { begins: null, ends: null }
    const { rows } = await sql<{ inAll: number; onDay: number }>`
      select count(*)::int "inAll", (count(*) filter (where scheduled_at >= ${begins} and scheduled_at < ${ends}))::int "onDay"
      from scheduled_status where account_id = ${accountId} and id <> ${than}`.execute(this.db)
    return rows[0]!
  }

  /** One to be published, and whether its author may; undefined when it is gone. */
  async findDue(id: string): Promise<(ScheduledRow & { isActive: boolean }) | undefined> {
    const query = this.db.selectFrom('scheduledStatus').innerJoin('account', 'account.id', 'scheduledStatus.accountId')
    return query.selectAll('scheduledStatus').select('account.isActive').where('scheduledStatus.id', '=', id).executeTakeFirst()
  }

  /** What should have been published before a moment, the oldest first: a part of it, behind the last one of the part before. */
  async overdue(before: Date, last: { at: Date; id: string } | undefined): Promise<{ id: string; at: Date }[]> {
    const { rows } = await sql<{ id: string; at: Date }>`
      select id, scheduled_at at from scheduled_status
      where scheduled_at < ${before} and (scheduled_at, id) > (${last?.at ?? new Date(0)}::timestamptz, ${last?.id ?? '0'}::bigint)
      order by scheduled_at, id limit ${AT_A_TIME}`.execute(this.db)
    return rows
  }
}

/** What a new one is made of. */
export type NewScheduled = Omit<ScheduledRow, 'version'>

/** What of one changes. */
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

  /** Makes the id that a key reserved a scheduled status's; false when it is no more reserved for this, or something has it already. */
  async takeKey({ accountId, key, id }: { accountId: string; key: string; id: string }): Promise<boolean> {
    // First the lock, then the look: a statement that waited would still see what was before.
    await sql`
      select 1 from idempotency_key where account_id = ${accountId} and key = ${key} and status_id = ${id} for update`.execute(this.db)
    const { rows } = await sql`
      update idempotency_key set is_scheduled = true where account_id = ${accountId} and key = ${key} and status_id = ${id}
        and not exists (select 1 from status_head where id = ${id}) and not exists (select 1 from scheduled_status where id = ${id})
      returning key`.execute(this.db)
    return rows.length > 0
  }

  /** Has others that count what this person scheduled wait until the transaction ends. */
  async holdCount(accountId: string): Promise<void> {
    await sql`select 1 from account where id = ${accountId} for no key update`.execute(this.db)
  }

  /** Adds one; false when its id is taken. */
  async add(row: NewScheduled): Promise<boolean> {
    const query = this.db.insertInto('scheduledStatus').values(jsonOf(row))
    const added = await query
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return added !== undefined
  }

  /** Locks one that is still as it was read; false when it is not. */
  async lock({ id, version }: { id: string; version: number }): Promise<boolean> {
    const query = this.db.selectFrom('scheduledStatus').select('id').where('id', '=', id).where('version', '=', version)
    return (await query.forUpdate().executeTakeFirst()) !== undefined
  }

  async change(id: string, change: ScheduledChange): Promise<void> {
    const values = { ...jsonOf(change), version: sql<number>`version + 1` }
    await this.db.updateTable('scheduledStatus').set(values).where('id', '=', id).execute()
  }

  /** Takes its time away from one that is still as it was read, and notes which it was; false when it is not. */
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

  /** Takes out someone's one, with the key that made it; undefined when it was not there. */
  async remove(one: { id: string; accountId: string }): Promise<Pick<ScheduledRow, 'id' | 'attachments'> | undefined> {
    const query = this.db.deleteFrom('scheduledStatus').where('id', '=', one.id).where('accountId', '=', one.accountId)
    const removed = await query.returning(['id', 'attachments']).executeTakeFirst()
    if (removed) await this.db.deleteFrom('idempotencyKey').where('statusId', '=', one.id).execute()
    return removed
  }

  /** Changes the display copy of a file on the scheduled status that will show it. */
  async redescribe({ id, mediaId, change }: { id: string; mediaId: string; change: Partial<StoredAttachment> }): Promise<void> {
    await sql`
      update scheduled_status set version = version + 1, attachments = ${withCopyChanged(mediaId, change)}
      where id = ${id} and ${hasCopyOf(mediaId)}`.execute(this.db)
  }
}
