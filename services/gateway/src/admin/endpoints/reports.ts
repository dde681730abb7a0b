import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { Failure, invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { Staff } from '../../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../../http/endpoint.ts'
import { flag, form, pageOf, paging, text, textList } from '../../http/fields.ts'
import { EVERY_REPORT, staffReportsJson } from '../../staff-reports.ts'
import type { AdminAccount, AdminReport } from '../entities.ts'

// Lists reports as staff pages need them, and handles many at once. The client API does neither, so these are on no public route.

const PATH = '/admin/reports'

/** The values of `assigned`. */
export const ASSIGNED = { toMe: 'me', toNoOne: 'none' } as const

/** A page of reports; the account they are about, if filtered by one; the numbers of open reports by account id. */
export type FoundReports = { reports: AdminReport[]; target: AdminAccount | undefined; open: Record<string, number> }

const parsed = (json: Buffer | undefined) => json && JSON.parse(json.toString())

export const findReports = endpoint({
  method: 'GET',
  path: PATH,
  access: Staff(PERMISSIONS.manageReports, 'admin:read:reports'),
  summary: 'Reports that are open or resolved, latest first; those about someone, of a category, assigned to oneself or to no one.',
  input: form({ resolved: flag(), about: text(), category: text(), assigned: text(), ...paging(PAGE_SIZES.staff) }),
  handle: async ({ call, input, viewerId }, clients): Promise<Reply> => {
    const page = await clients.staffReports.list(call, {
      ...EVERY_REPORT,
      page: pageOf(input),
      isResolved: input.resolved ?? false,
      targetHandle: input.about?.trim() ?? '',
      category: input.category ?? '',
      assignedToId: input.assigned === ASSIGNED.toMe ? viewerId : '',
      isUnassigned: input.assigned === ASSIGNED.toNoOne,
      countsOpen: true,
    })
    const { reports, accounts } = await staffReportsJson(call, page, clients)
    const open = Object.fromEntries(page.openCounts.map(({ targetId, count }) => [targetId, count]))
    const found: FoundReports = { reports: reports.map(parsed), target: parsed(accounts.get(page.targetId)), open }
    return new Reply(found, { page: { cursors: page.cursors, style: STATUS_LIST } })
  },
})

/** Maximum reports handled by one form. */
const MAX_HANDLED = 200

const isGone = (error: unknown) => error instanceof Failure && error.kind === 'not_found'

export const handleReports = endpoint({
  method: 'POST',
  path: PATH,
  access: Staff(PERMISSIONS.manageReports, 'admin:write:reports'),
  summary: 'Takes or resolves several reports.',
  input: form({ report_ids: textList(), decision: text() }),
  handle: async ({ call, input, viewerId: staffId }, { staffReports }) => {
    const ids = [...new Set(input.report_ids.filter(isId))].slice(0, MAX_HANDLED)
    if (ids.length === 0) throw invalid("Report ids can't be blank")
    if (input.decision !== 'resolve' && input.decision !== 'assign') throw invalid('Decision is not included in the list')
    for (const id of ids) {
      const handled =
        input.decision === 'resolve'
          ? staffReports.setResolved(call, { id, staffId, isResolved: true })
          : staffReports.assign(call, { id, staffId, isUnassigned: false })
      await handled.catch((error: unknown) => {
        if (!isGone(error)) throw error
      })
    }
    return {}
  },
})
