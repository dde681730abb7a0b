import { type Job, job } from '@rookery/jobs'
import { publishDue } from './publish-due.ts'
import type { DueDeps } from './publish-scheduled.ts'
import { ScheduledReader } from './scheduled.store.ts'

/** How late a job may be before it counts as lost, in milliseconds. */
const TIMEOUT = 10_000

/**
 * Publishes overdue statuses: a job whose process was killed stays locked for hours, and the retries of a failed one are ever further apart. A
 * failure does not hold up the others.
 * @throws the first error, after all were tried
 */
export const publishOverdueJob = (deps: DueDeps): Job => {
  const reader = new ScheduledReader(deps.database.db)
  const publish = publishDue(deps)
  return job({
    name: 'publish-overdue-statuses',
    cron: '* * * * *',
    run: async () => {
      const before = new Date(deps.clock.now() - TIMEOUT)
      const faults: unknown[] = []
      let part = await reader.overdue(before, undefined)
      while (part.length > 0) {
        for (const { id, at } of part) await publish({ id, at: at.getTime() }).catch((error) => faults.push(error))
        part = await reader.overdue(before, part.at(-1))
      }
      if (faults.length > 0) throw faults[0]
    },
  })
}
