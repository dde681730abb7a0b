export { resolveAllWithin, resolveWithin } from './change-report.ts'
export { readReports } from './read-reports.ts'
export { countOpenReports } from './report-pages.store.ts'
