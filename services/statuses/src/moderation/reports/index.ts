export { resolveWithin } from './change-report.ts'
export { readReports } from './read-reports.ts'
