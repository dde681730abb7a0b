import { ReportOperatorDefinition, ReportsDefinition, StaffReportsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { assignReport, changeReport, setReportResolved } from './change-report.ts'
import { fileReport } from './file-report.ts'
import { reportMessage } from './report.message.ts'
import { ReportReader } from './report.store.ts'
import { listStaffReports, readStaffReport } from './staff-reports.ts'

/** The handlers of Reports: filing a report. */
export const createReportsRpc = (given: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; views: Views }): Handler => {
  const file = fileReport(given)
  return handler(ReportsDefinition, { file: (call, request) => file(call, request) })
}

/** The handlers of StaffReports: reading and changing reports. */
export const createStaffReportsRpc = (deps: {
  database: Database<StatusesTables>
  outbox: Outbox
  clock: Clock
  views: Views
  baseUrl: string
}): Handler => {
  const read = readStaffReport(deps)
  const list = listStaffReports(deps)
  const answered =
    <Request extends { id: string }>(act: (request: Request) => Promise<void>) =>
    async (_call: unknown, request: Request) => {
      await act(request)
      return read(request.id)
    }
  return handler(StaffReportsDefinition, {
    list: (_call, request) => list(request),
    read: (_call, { id }) => read(id),
    change: answered(changeReport(deps)),
    assign: answered(assignReport(deps)),
    setResolved: answered(setReportResolved(deps)),
  })
}

/** The handlers of ReportOperator, which is served on the local socket only. */
export const createReportOperatorRpc = (deps: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Handler => {
  const setResolved = setReportResolved(deps)
  return handler(ReportOperatorDefinition, {
    async list(_call, request) {
      const rows = await new ReportReader(deps.database.db).latest(request)
      return {
        reports: rows.map((row) => ({ report: reportMessage(row), username: row.username, targetUsername: row.targetUsername })),
      }
    },
    async resolve(_call, { id }) {
      await setResolved({ id, staffId: '', isResolved: true })
      return {}
    },
  })
}
