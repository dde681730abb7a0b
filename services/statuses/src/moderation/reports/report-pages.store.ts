import { type Page, prepared, preparedPage, type Source } from '@rookery/database'
import { sql } from 'kysely'
import { query } from '../../database/query.ts'
import type { ReportRow } from './report.store.ts'

/** Which reports staff ask for; an empty id is everyone's. */
type ReportFilter = { isResolved: boolean; accountId: string; targetId: string }

type Values = { accountId: string; targetId: string }

/** A statement for each way to ask, so that each is read in the order of its index. */
const reading = (name: string, by: { isResolved: boolean; hasAuthor: boolean; hasTarget: boolean }) =>
  preparedPage<Values, ReportRow>(`reports.${name}`, ({ accountId, targetId }, { order, below, above, limit }) => {
    let reports = query.selectFrom('report').selectAll()
    reports = reports.where('actionTakenAt', by.isResolved ? 'is not' : 'is', null)
    if (by.hasAuthor) reports = reports.where('accountId', '=', accountId)
    if (by.hasTarget) reports = reports.where('targetId', '=', targetId)
    return reports.where('id', '<', below).where('id', '>', above).orderBy('id', order).limit(limit)
  })

const readings = (name: string, isResolved: boolean) => ({
  all: reading(name, { isResolved, hasAuthor: false, hasTarget: false }),
  by: reading(`${name}-by`, { isResolved, hasAuthor: true, hasTarget: false }),
  about: reading(`${name}-about`, { isResolved, hasAuthor: false, hasTarget: true }),
  byAbout: reading(`${name}-by-about`, { isResolved, hasAuthor: true, hasTarget: true }),
})

const OPEN = readings('open', false)
const CLOSED = readings('closed', true)

const chosen = ({ isResolved, accountId, targetId }: ReportFilter) => {
  const { all, by, about, byAbout } = isResolved ? CLOSED : OPEN
  if (accountId) return targetId ? byAbout : by
  return targetId ? about : all
}

/** Counted no further. */
const MAX_COUNTED = 10_000

const openReports = prepared('reports.count-open', () => {
  const open = query.selectFrom('report').select('id').where('actionTakenAt', 'is', null).limit(sql.lit(MAX_COUNTED))
  return query.selectFrom(open.as('open')).select(({ fn }) => fn.countAll<string>().as('count'))
})

/** How many reports are open. */
export const countOpenReports = async (source: Source): Promise<number> => Number((await openReports(source, {}))[0]?.count ?? 0)

/** A page of reports, latest first; one by min_id comes oldest first. */
export const readReportPage = (source: Source, filter: ReportFilter & { page: Page }): Promise<ReportRow[]> =>
  chosen(filter)(source, filter)
