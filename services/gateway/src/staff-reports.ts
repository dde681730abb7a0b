import type { StaffReport, StaffReportPage } from '@rookery/contracts/statuses'
import { adminReportJson, jsonList, ruleEntity } from '@rookery/entities'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'
import { adminAccounts } from './staff-accounts.ts'

/** Reports of everyone, whatever they are about. */
export const EVERY_REPORT = {
  accountId: '',
  targetId: '',
  targetHandle: '',
  category: '',
  assignedToId: '',
  isUnassigned: false,
  countsOpen: false,
}

/** The JSON of reports, in the page's order, and of everyone they name; a report that names someone who is gone meanwhile is left out. */
export const staffReportsJson = async (call: Call, page: StaffReportPage, clients: Clients) => {
  const [accounts, { rules }] = await Promise.all([adminAccounts(call, page.accounts, clients), clients.instance.readRules(call, {})])
  const json = ({ report, ...given }: StaffReport) => {
    const account = accounts.get(report?.accountId ?? '')
    const target = accounts.get(report?.targetId ?? '')
    if (!report || !account || !target) return []
    const named = rules.filter((rule) => report.ruleIds.includes(rule.id)).map(ruleEntity)
    return adminReportJson(
      { report, ...given },
      {
        account,
        target_account: target,
        assigned_account: accounts.get(given.assignedToId),
        action_taken_by_account: accounts.get(given.actionTakenById),
        statuses: page.statuses ? clients.render.statusesOf(page.statuses, report.statusIds) : jsonList([]),
        rules: Buffer.from(JSON.stringify(named)),
      },
    )
  }
  return { reports: page.reports.flatMap(json), accounts }
}
