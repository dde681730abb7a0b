export { keptBytes, sumKept } from './sum-kept-bytes.job.ts'
