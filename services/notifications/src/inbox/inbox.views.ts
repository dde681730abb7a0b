import { type AccountView, type ReportList, StatusPage, type ViewsDefinition } from '@rookery/contracts/statuses'
import type { Call, Client } from '@rookery/rpc'
import { reportIdOf } from './detail.rules.ts'
import type { About } from './inbox.store.ts'

/** The records of a page's rows: the accounts, statuses and reports that the viewer may see. */
export type Hydrated = { readonly accounts: readonly AccountView[]; readonly statuses: StatusPage; readonly reports: ReportList }

/** Accounts, statuses and reports, each once. */
export type References = { accountIds: string[]; statusIds: string[]; reportIds: string[] }

/** The references of these rows. */
export const referencesOf = (rows: readonly About[]): References => ({
  accountIds: [...new Set(rows.map((row) => row.actorId))],
  statusIds: [...new Set(rows.flatMap((row) => row.statusId ?? []))],
  reportIds: [...new Set(rows.flatMap((row) => reportIdOf(row) ?? []))],
})

const NO_REPORTS: ReportList = { reports: [], accounts: [] }

/** Reads everything that the rows refer to from statuses, as the viewer sees it: one concurrent batch per kind. */
export const hydrate = async (views: Client<ViewsDefinition>, call: Call, viewerId: string, rows: readonly About[]): Promise<Hydrated> => {
  const { accountIds, statusIds, reportIds } = referencesOf(rows)
  const [accounts, statuses, reports] = await Promise.all([
    accountIds.length > 0 ? views.readAccounts(call, { ids: accountIds, withNewcomers: true, recipientId: viewerId }) : { accounts: [] },
    statusIds.length > 0 ? views.readStatuses(call, { ids: statusIds, viewerId }) : StatusPage.fromPartial({}),
    reportIds.length > 0 ? views.readReports(call, { ids: reportIds, viewerId }) : NO_REPORTS,
  ])
  return { accounts: accounts.accounts, statuses, reports }
}
