import { anyOf, type Db, type Tx } from '@rookery/database'
import { type Selectable, sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import type { ReportTable } from '../../database/tables/report.ts'

export type ReportRow = Selectable<ReportTable>

/** A report with the names of both sides. */
export type NamedReportRow = ReportRow & { username: string; targetUsername: string }

/** Reports of one listing at most. */
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
] as const

export class ReportReader {
  protected readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  /** Those of these reports that the viewer filed, and all of them for a viewer with one of the roles. */
  async readable(ids: readonly string[], viewerId: string, roles: readonly string[]): Promise<ReportRow[]> {
    const mayRead = sql<boolean>`(report.account_id = ${viewerId} or exists (
      select 1 from account where id = ${viewerId} and role = any(${[...roles]}::text[])))`
    return this.db.selectFrom('report').select(COLUMNS).where('report.id', '=', anyOf(ids)).where(mayRead).execute()
  }

  /** The latest first, with those about which something was done only if wanted. */
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

  async add(report: Omit<ReportRow, 'id' | 'actionTakenAt'>): Promise<ReportRow> {
    return this.db.insertInto('report').values(report).returning(COLUMNS).executeTakeFirstOrThrow()
  }

  /** Notes that something was done about it, the first time; answers false when there is no such report. */
  async resolve(id: string, now: Date): Promise<boolean> {
    const change = { actionTakenAt: sql<Date>`coalesce(action_taken_at, ${now})` }
    return (await this.db.updateTable('report').set(change).where('id', '=', id).returning('id').executeTakeFirst()) !== undefined
  }
}
