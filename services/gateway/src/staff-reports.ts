import type { StaffReport, StaffReportPage } from '@rookery/contracts/statuses'
import { adminReportJson, formerStatusJson, jsonList, ruleEntity } from '@rookery/entities'
import type { Call } from '@rookery/rpc'
import type { Clients } from './clients.ts'
import { adminAccounts } from './staff-accounts.ts'

/** Matches every report. */
export const EVERY_REPORT = {
  accountId: '',
  targetId: '',
  targetHandle: '',
  category: '',
  assignedToId: '',
  isUnassigned: false,
  countsOpen: false,
}

/** The statuses of the reports of a page: existing ones as they are now, deleted and edited ones as the report found them. */
const statusesJson = ({ statuses, accounts }: StaffReportPage, { render }: Clients) => {
  const live = statuses ? render.statusesById(statuses) : new Map<string, Buffer>()
  const accountsById = new Map(accounts.map((view) => [view.id, view]))
  return ({ report, formerStatuses }: StaffReport) => {
    const author = accountsById.get(report?.targetId ?? '')
    const former = author ? formerStatuses.map((each) => ({ ...each, ...formerStatusJson(each, author, render) })) : []
    const deleted = new Map(former.flatMap(({ id, json, isDeleted }) => (isDeleted && !live.has(id) ? [[id, json] as const] : [])))
    return {
      statuses: jsonList((report?.statusIds ?? []).flatMap((id) => live.get(id) ?? deleted.get(id) ?? [])),
      deleted_status_ids: Buffer.from(JSON.stringify([...deleted.keys()])),
      edited_statuses: jsonList(former.flatMap(({ isDeleted, json }) => (isDeleted ? [] : [json]))),
    }
  }
}

/** The JSON of reports and the accounts they name, in the page's order; a report that names a deleted account is left out. */
export const staffReportsJson = async (call: Call, page: StaffReportPage, clients: Clients) => {
  const [accounts, { rules, removed }] = await Promise.all([
    adminAccounts(call, page.accounts, clients),
    clients.instance.readRules(call, {}),
  ])
  const statusesOf = statusesJson(page, clients)
  const json = ({ report, ...given }: StaffReport) => {
    const account = accounts.get(report?.accountId ?? '')
    const target = accounts.get(report?.targetId ?? '')
    if (!report || !account || !target) return []
    const named = [...rules, ...removed].filter((rule) => report.ruleIds.includes(rule.id)).map(ruleEntity)
    return adminReportJson(
      { report, ...given },
      {
        account,
        target_account: target,
        assigned_account: accounts.get(given.assignedToId),
        action_taken_by_account: accounts.get(given.actionTakenById),
        ...statusesOf({ report, ...given }),
        rules: Buffer.from(JSON.stringify(named)),
      },
    )
  }
  return { reports: page.reports.flatMap(json), accounts }
}
