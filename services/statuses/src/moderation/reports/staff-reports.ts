import { PAGE_SIZES } from '@rookery/contracts/limits'
import { FormerStatus, type ListStaffReportsRequest, type StaffReport, type StaffReportPage } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader, handleIn } from '../../people/accounts/index.ts'
import type { Views } from '../../views/index.ts'
import { reportMessage } from './report.message.ts'
import { rowsOfPage } from './report.rules.ts'
import { ReportReader, type ReportRow } from './report.store.ts'
import { countOpenReportsAbout, readReportPage } from './report-pages.store.ts'
import { type FormerCopy, readFormerCopies } from './reported-status.store.ts'

type Deps = { database: Database<StatusesTables>; views: Views; baseUrl: string }

const formerStatus = ({ content, isDeleted }: FormerCopy): FormerStatus => ({ ...FormerStatus.decode(content), isDeleted })

const staffReport = (row: ReportRow, former: readonly FormerCopy[]): StaffReport => ({
  report: reportMessage(row),
  updatedAtMilliseconds: (row.updatedAt ?? row.createdAt).getTime(),
  assignedToId: row.assignedToId ?? '',
  actionTakenById: row.actionTakenById ?? '',
  formerStatuses: former.filter(({ reportId }) => reportId === row.id).map(formerStatus),
})

/** Reads the reported statuses, then the copies of those edited or deleted since: a status deleted in between is in both, never in neither. */
const presentStatuses = async ({ database, views }: Pick<Deps, 'database' | 'views'>, rows: readonly ReportRow[]) => {
  const ids = [...new Set(rows.flatMap((row) => row.statusIds))]
  // Staff read every reported status, whatever its visibility, and also if its author is suspended.
  const statuses = await views.presentForAll(await views.skeleton('', ids))
  const copied = rows.flatMap(({ id, hasCopies }) => (hasCopies ? [id] : []))
  return { statuses, former: copied.length > 0 ? await readFormerCopies(database, copied) : [] }
}

/** Reports with the accounts and statuses they name, in a fixed number of statements. Leaves out reports whose author or target no longer exists. */
const presentReports =
  ({ database, views }: Pick<Deps, 'database' | 'views'>) =>
  async (rows: readonly ReportRow[], targetId = ''): Promise<StaffReportPage> => {
    const ids = rows.flatMap((row) => [row.accountId, row.targetId, row.assignedToId ?? [], row.actionTakenById ?? []]).flat()
    const named = targetId ? [...ids, targetId] : ids
    const [accounts, { statuses, former }] = await Promise.all([
      views.accounts([...new Set(named)], { withNewcomers: true }),
      presentStatuses({ database, views }, rows),
    ])
    const there = new Set(accounts.map(({ id }) => id))
    const whole = rows.filter((row) => there.has(row.accountId) && there.has(row.targetId))
    return { reports: whole.map((row) => staffReport(row, former)), accounts, statuses, cursors: undefined, targetId, openCounts: [] }
  }

/** The page for a handle of no account. */
const NO_REPORTS: StaffReportPage = { reports: [], accounts: [], statuses: undefined, cursors: undefined, targetId: '', openCounts: [] }

/** Finds the target that a list is filtered by, by id or handle; an empty id means all accounts. Undefined for a handle of no account. */
const targetOf =
  ({ database, baseUrl }: Deps) =>
  async ({ targetId, targetHandle }: ListStaffReportsRequest): Promise<{ targetId: string; named: string } | undefined> => {
    if (targetId !== '' || targetHandle === '') return { targetId, named: '' }
    const handle = handleIn(targetHandle, baseUrl)
    const named = handle && (await new AccountReader(database.db).idOf(handle))
    return named ? { targetId: named, named } : undefined
  }

/** @throws Failure invalid for a malformed id */
const checkIds = (...ids: readonly string[]): void => {
  if (!ids.every((id) => id === '' || isId(id))) throw invalid('Account is not a valid id')
}

/** Lists a page of reports for staff (beyond-the-spec 2.6). @throws Failure invalid for a malformed id */
export const listStaffReports = (deps: Deps) => {
  const present = presentReports(deps)
  const findTarget = targetOf(deps)
  return async (request: ListStaffReportsRequest): Promise<StaffReportPage> => {
    const target = await findTarget(request)
    if (!target) return NO_REPORTS
    const { targetId, named } = target
    checkIds(request.accountId, targetId, request.assignedToId)
    const page = pageWithin(PAGE_SIZES.staff, request.page)
    const read = await readReportPage(deps.database, { ...request, page, targetId })
    const rows = rowsOfPage(read)
    const { rows: ordered, cursors } = cursorsOf(page, rows, ({ id }) => id)
    const about = [...new Set([named, ...ordered.map((row) => row.targetId)])].filter((id) => id !== '')
    const [presented, openCounts] = await Promise.all([
      present(ordered, named),
      request.countsOpen ? countOpenReportsAbout(deps.database, about) : [],
    ])
    return { ...presented, cursors: { ...cursors, isFull: cursors.isFull || rows.length < read.length }, openCounts }
  }
}

/** Reads a report for staff. @throws Failure not_found, also if its author or target no longer exists */
export const readStaffReport = (deps: Deps) => {
  const present = presentReports(deps)
  return async (id: string): Promise<StaffReportPage> => {
    const row = isId(id) ? await new ReportReader(deps.database.db).find(id) : undefined
    const page = await present([orNotFound(row, `no report ${id}`)])
    orNotFound(page.reports[0], `report ${id} names someone who is gone`)
    return page
  }
}
