import { type Job, job } from '@rookery/jobs'
import { publishDue } from './publish-due.ts'
import type { DueDeps } from './publish-scheduled.ts'
import { PUBLISH_SCHEDULED, type PublishScheduled } from './schedule-job.ts'

/** Publishes a scheduled status; runs at its time. */
export const publishScheduledJob = (deps: DueDeps): Job => job<PublishScheduled>({ name: PUBLISH_SCHEDULED, run: publishDue(deps) })
