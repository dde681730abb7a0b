import type { ReportForwarded, StaffActed } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** Someone of the staff, or an operator, changed a report. */
export const staffActed = (act: StaffActed): OutboxEvent => ({ key: act.accountId, event: { $case: 'staffActed', value: act } })

/** A report waits for staff. */
export const reportFiled = (reporterId: string, reportId: string): OutboxEvent => ({
  key: reporterId,
  event: { $case: 'reportFiled', value: { reportId } },
})

/** A report about a person of another server, whose author wants that server to know of it. */
export const reportForwarded = (reporterId: string, report: ReportForwarded): OutboxEvent => ({
  key: reporterId,
  event: { $case: 'reportForwarded', value: report },
})
