export { describeScheduled } from './describe-scheduled.consumer.ts'
export { publishOverdueJob } from './publish-overdue.job.ts'
export { publishScheduledJob } from './publish-scheduled.job.ts'
export { createScheduledRpc } from './scheduled.rpc.ts'
