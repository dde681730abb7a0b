import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import type { StaffReportPage } from '@rookery/contracts/statuses'
import { jsonList } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { Staff } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { flag, form, givenTexts, id, pageOf, paging, text } from '../http/fields.ts'
import { EVERY_REPORT, staffReportsJson } from '../staff-reports.ts'
import { recordId } from './replies.ts'
import { refuseUnknownRules } from './reports.ts'

const PATH = '/api/v1/admin/reports'
const reading = Staff(PERMISSIONS.manageReports, 'admin:read:reports')
const writing = Staff(PERMISSIONS.manageReports, 'admin:write:reports')

const reportReply = async (call: Call, page: StaffReportPage, clients: Clients) =>
  orNotFound((await staffReportsJson(call, page, clients)).reports[0])

export const listAdminReports = endpoint({
  method: 'GET',
  path: PATH,
  access: reading,
  summary: 'Reports about which nothing was done yet, or with resolved=true those about which something was, latest first.',
  input: form({ resolved: flag(), account_id: id('account_id'), target_account_id: id('target_account_id'), ...paging(PAGE_SIZES.staff) }),
  handle: async ({ call, input }, clients) => {
    const page = await clients.staffReports.list(call, {
      ...EVERY_REPORT,
      page: pageOf(input),
      isResolved: input.resolved ?? false,
      accountId: input.account_id ?? '',
      targetId: input.target_account_id ?? '',
    })
    const { reports } = await staffReportsJson(call, page, clients)
    return new Reply(jsonList(reports), { page: { cursors: page.cursors, style: STATUS_LIST } })
  },
})

export const readAdminReport = endpoint({
  method: 'GET',
  path: `${PATH}/:id`,
  access: reading,
  summary: 'A report.',
  handle: async ({ call, params }, clients) => reportReply(call, await clients.staffReports.read(call, { id: recordId(params) }), clients),
})

export const changeAdminReport = endpoint({
  method: 'PUT',
  path: `${PATH}/:id`,
  access: writing,
  summary: 'Changes the category of a report and the rules it names. Rules make it a violation; another category names none.',
  input: form({ category: text(), rule_ids: givenTexts() }),
  handle: async ({ call, params, input, viewerId }, clients) => {
    const reportId = recordId(params)
    await refuseUnknownRules(call, input.rule_ids ?? [], clients, { withRemoved: true })
    const ruleIds = input.rule_ids && { ids: input.rule_ids }
    const change = { id: reportId, staffId: viewerId, category: input.category, ruleIds }
    return reportReply(call, await clients.staffReports.change(call, change), clients)
  },
})

const assigning = (name: string, summary: string, isUnassigned: boolean) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/:id/${name}`,
    access: writing,
    summary,
    handle: async ({ call, params, viewerId }, clients) =>
      reportReply(call, await clients.staffReports.assign(call, { id: recordId(params), staffId: viewerId, isUnassigned }), clients),
  })

export const assignAdminReport = assigning('assign_to_self', 'Takes a report, to deal with it.', false)
export const unassignAdminReport = assigning('unassign', 'Assigns a report to no one.', true)

const resolving = (name: string, summary: string, isResolved: boolean) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/:id/${name}`,
    access: writing,
    summary,
    handle: async ({ call, params, viewerId }, clients) =>
      reportReply(call, await clients.staffReports.setResolved(call, { id: recordId(params), staffId: viewerId, isResolved }), clients),
  })

export const resolveAdminReport = resolving('resolve', 'Says that something was done about a report.', true)
export const reopenAdminReport = resolving('reopen', 'Says that a report is open after all.', false)
