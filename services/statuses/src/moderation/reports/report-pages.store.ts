import { COUNTED_REPORTS } from '@rookery/contracts/limits'
import { type Page, type PreparedPage, prepared, preparedPage, type Source } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { ReportRow } from './report.store.ts'

type Values = { accountId: string; targetId: string; category: string; assignedToId: string }

/** The filter of a list of reports; empty values match all. */
type ReportFilter = Values & { isResolved: boolean; isUnassigned: boolean }

const ASSIGNEES = ['anyone', 'someone', 'no-one'] as const

/** The conditions of a statement, without their values. */
type Shape = { isResolved: boolean; hasAuthor: boolean; hasTarget: boolean; hasCategory: boolean; assignee: (typeof ASSIGNEES)[number] }

const nameOf = ({ isResolved, hasAuthor, hasTarget, hasCategory, assignee }: Shape): string =>
  [
    isResolved ? 'reports.closed' : 'reports.open',
    ...(hasAuthor ? ['by'] : []),
    ...(hasTarget ? ['about'] : []),
    ...(hasCategory ? ['of-category'] : []),
    ...(assignee === 'anyone' ? [] : [`assigned-to-${assignee}`]),
  ].join('-')

/** The statement for one combination of conditions: separate statements let each scan an index in order. */
const reading = (shape: Shape): PreparedPage<Values, ReportRow> =>
  preparedPage(nameOf(shape), ({ accountId, targetId, category, assignedToId }, { order, below, above, limit }) => {
    let reports = query.selectFrom('report').selectAll()
    reports = reports.where('actionTakenAt', shape.isResolved ? 'is not' : 'is', null)
    if (shape.hasAuthor) reports = reports.where('accountId', '=', accountId)
    if (shape.hasTarget) reports = reports.where('targetId', '=', targetId)
    if (shape.hasCategory) reports = reports.where('category', '=', category)
    if (shape.assignee === 'someone') reports = reports.where('assignedToId', '=', assignedToId)
    if (shape.assignee === 'no-one') reports = reports.where('assignedToId', 'is', null)
    return reports.where('id', '<', below).where('id', '>', above).orderBy('id', order).limit(limit)
  })

const EITHER = [false, true]

const READINGS = new Map(
  EITHER.flatMap((isResolved) =>
    EITHER.flatMap((hasAuthor) =>
      EITHER.flatMap((hasTarget) =>
        EITHER.flatMap((hasCategory) => ASSIGNEES.map((assignee) => ({ isResolved, hasAuthor, hasTarget, hasCategory, assignee }))),
      ),
    ),
  ).map((shape) => [nameOf(shape), reading(shape)]),
)

const assigneeOf = ({ isUnassigned, assignedToId }: ReportFilter): Shape['assignee'] => {
  if (isUnassigned) return 'no-one'
  return assignedToId ? 'someone' : 'anyone'
}

/** Reads a page of reports, latest first; with min_id, oldest first. */
export const readReportPage = (source: Source, filter: ReportFilter & { page: Page }): Promise<ReportRow[]> => {
  const { isResolved, accountId, targetId, category } = filter
  const shape = { isResolved, hasAuthor: accountId !== '', hasTarget: targetId !== '', hasCategory: category !== '' }
  return READINGS.get(nameOf({ ...shape, assignee: assigneeOf(filter) }))!(source, filter)
}

/** Counting open reports stops here. */
const MAX_COUNTED = 10_000

const openReports = prepared('reports.count-open', () => {
  const open = query.selectFrom('report').select('id').where('actionTakenAt', 'is', null).limit(sql.lit(MAX_COUNTED))
  return query.selectFrom(open.as('open')).select(({ fn }) => fn.countAll<string>().as('count'))
})

/** The number of open reports, at most `MAX_COUNTED`. */
export const countOpenReports = async (source: Source): Promise<number> => Number((await openReports(source, {}))[0]?.count ?? 0)

const openReportsAbout = prepared(
  'reports.count-open-about',
  ({ targetIds }: { targetIds: readonly string[] }) => sql<{ targetId: string; count: string }>`
    select target.id as target_id, open.count from unnest(${targetIds}::bigint[]) as target(id)
    cross join lateral (
      select count(*) as count from (
        select from report where target_id = target.id and action_taken_at is null limit ${sql.lit(COUNTED_REPORTS)}) first) open`,
)

/** The number of open reports about each of these accounts, at most `COUNTED_REPORTS` each. */
export const countOpenReportsAbout = async (source: Source, targetIds: readonly string[]): Promise<{ targetId: string; count: number }[]> =>
  (await openReportsAbout(source, { targetIds })).map(({ targetId, count }) => ({ targetId, count: Number(count) }))
