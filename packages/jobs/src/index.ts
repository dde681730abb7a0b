export { addJob, type Job, type JobOptions, job, removeJob } from './job.ts'
export { migrateJobs, startWorker, type Worker, type WorkerOptions } from './worker.ts'
