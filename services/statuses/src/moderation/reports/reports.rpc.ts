import { ReportOperatorDefinition, ReportsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { fileReport } from './file-report.ts'
import { reportMessage } from './report.message.ts'
import { ReportReader, ReportWriter } from './report.store.ts'

/** Reports to moderators. */
export const createReportsRpc = (given: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; views: Views }): Handler => {
  const file = fileReport(given)
  return handler(ReportsDefinition, { file: (call, request) => file(call, request) })
}

/** The service ReportOperator of the contract, for the machine's own socket only. */
export const createReportOperatorRpc = ({ database, clock }: { database: Database<StatusesTables>; clock: Clock }): Handler =>
  handler(ReportOperatorDefinition, {
    async list(_call, request) {
      const rows = await new ReportReader(database.db).latest(request)
      return {
        reports: rows.map((row) => ({ report: reportMessage(row), username: row.username, targetUsername: row.targetUsername })),
      }
    },
    async resolve(_call, { id }) {
      const isThere = isId(id) && (await transact(database.db, (tx) => new ReportWriter(tx).resolve(id, new Date(clock.now()))))
      if (!isThere) throw notFound(`no report ${id}`)
      return {}
    },
  })
