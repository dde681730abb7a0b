export { readReports } from './read-reports.ts'
