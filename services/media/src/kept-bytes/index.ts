export { fileBytes, keptBytes, sumKept } from './sum-kept-bytes.job.ts'
