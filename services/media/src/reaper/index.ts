export { requestDiscarding } from './discard-files.job.ts'
