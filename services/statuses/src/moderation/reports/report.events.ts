import type { ReportForwarded, StaffActed } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The event that staff or an operator changed a report. */
export const staffActed = (act: StaffActed): OutboxEvent => ({ key: act.accountId, event: { $case: 'staffActed', value: act } })

/** The event that a report was filed. */
export const reportFiled = (reporterId: string, reportId: string): OutboxEvent => ({
  key: reporterId,
  event: { $case: 'reportFiled', value: { reportId } },
})

/** The event that sends a report to the server of the reported account. */
export const reportForwarded = (reporterId: string, report: ReportForwarded): OutboxEvent => ({
  key: reporterId,
  event: { $case: 'reportForwarded', value: report },
})
