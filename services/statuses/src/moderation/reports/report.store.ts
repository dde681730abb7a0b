import { anyOf, type Db, prepared, type Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import { isSentTo } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReportTable } from '../../database/tables/report.ts'

export type ReportRow = Selectable<ReportTable>

/** A report with the usernames of its author and target. */
type NamedReportRow = ReportRow & { username: string; targetUsername: string }

/** A new report. */
type NewReport = Omit<ReportRow, 'id' | 'actionTakenAt' | 'actionTakenById' | 'assignedToId' | 'updatedAt'>

/** Changes to a report; absent columns stay. */
export type ReportChange = Partial<
  Pick<ReportRow, 'category' | 'ruleIds' | 'actionTakenAt' | 'actionTakenById' | 'assignedToId' | 'updatedAt'>
>

/** Maximum number of reports in the operator's list. */
const AT_A_TIME = 500

const COLUMNS = [
  'report.id',
  'report.accountId',
  'report.targetId',
  'report.category',
  'report.comment',
  'report.statusIds',
  'report.ruleIds',
  'report.createdAt',
  'report.actionTakenAt',
  'report.actionTakenById',
  'report.assignedToId',
  'report.updatedAt',
  'report.isForwarded',
  'report.hasCopies',
] as const

export class ReportReader {
  protected readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  async find(id: string): Promise<ReportRow | undefined> {
    return this.db.selectFrom('report').select(COLUMNS).where('report.id', '=', id).executeTakeFirst()
  }

  /** Those of these reports that the viewer filed; all of them if the viewer has one of the roles. */
  async readable(ids: readonly string[], viewerId: string, roles: readonly string[]): Promise<ReportRow[]> {
    const mayRead = sql<boolean>`(report.account_id = ${viewerId} or exists (
      select 1 from account where id = ${viewerId} and role = any(${[...roles]}::text[])))`
    return this.db.selectFrom('report').select(COLUMNS).where('report.id', '=', anyOf(ids)).where(mayRead).execute()
  }

  /** Reports, latest first; resolved ones only `withResolved`. */
  async latest({ withResolved }: { withResolved: boolean }): Promise<NamedReportRow[]> {
    const query = this.db
      .selectFrom('report')
      .innerJoin('account', 'account.id', 'report.accountId')
      .innerJoin('account as target', 'target.id', 'report.targetId')
      .select([...COLUMNS, 'account.username', 'target.username as targetUsername'])
      .orderBy('report.id', 'desc')
      .limit(AT_A_TIME)
    return (withResolved ? query : query.where('report.actionTakenAt', 'is', null)).execute()
  }
}

export class ReportWriter extends ReportReader {
  constructor(tx: Tx<StatusesTables>) {
    super(tx)
  }

  async add(report: NewReport): Promise<ReportRow> {
    return this.db.insertInto('report').values(report).returning(COLUMNS).executeTakeFirstOrThrow()
  }

  /** Reads a report and locks its row. */
  async lock(id: string): Promise<ReportRow | undefined> {
    return this.db.selectFrom('report').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
  }

  /** Resolves at most `limit` of the open reports about an account; returns how many. */
  async resolveOpen({ targetId, by, now, limit }: { targetId: string; by: string | null; now: Date; limit: number }): Promise<number> {
    const { rows } = await sql<{ id: string }>`
      update report set action_taken_at = ${now}, action_taken_by_id = ${by}, updated_at = ${now}
      where id = any(array(select id from report where target_id = ${targetId} and action_taken_at is null order by id limit ${limit} for update))
      returning id`.execute(this.db)
    return rows.length
  }

  async change(id: string, change: ReportChange): Promise<void> {
    await this.db.updateTable('report').set(change).where('id', '=', id).execute()
  }
}

type Sent = { accountId: string; domain: string; ids: readonly string[] }

/** Those of these statuses that the account wrote and that were sent to the domain. */
export const readSent = prepared(
  'reports.sent',
  ({ accountId, domain, ids }: Sent) => sql<{ id: string }>`
    select h.id from status_head h where h.id = any(${ids}::bigint[]) and h.author_id = ${accountId}
      and ${isSentTo('h', sql`${domain}::text`)} order by h.id`,
)

/** The authors of other servers, at these domains, whom the statuses answer. */
export const readAnswered = prepared(
  'reports.answered',
  ({ statusIds, domains }: { statusIds: readonly string[]; domains: readonly string[] }) => sql<{ id: string }>`
    select answered.id from status cross join lateral (
      select id, domain from account where id = in_reply_to_account_id offset 0) answered
    where status.id = any(${statusIds}::bigint[]) and answered.domain = any(${domains}::text[])`,
)
