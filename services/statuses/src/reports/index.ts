export { readReports } from './read-reports.ts'
export { createReportOperatorRpc, createReportsRpc } from './reports.rpc.ts'
