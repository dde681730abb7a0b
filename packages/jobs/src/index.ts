export { countJobs } from './count.ts'
export { discardFailedJobs, type FailedJob, readFailedJobs, retryFailedJobs } from './failed.ts'
export { addingJobs, addJob, addJobs, type Job, job, jobSchema, removeJob, runSoon } from './job.ts'
export { type JobObserver, migrateJobs, startWorker, type Worker, type WorkerOptions } from './worker.ts'
