import { type Job, job } from '@rookery/jobs'
import { publishDue } from './publish-due.ts'
import type { DueDeps } from './publish-scheduled.ts'
import { ScheduledReader } from './scheduled.store.ts'

/** How late a job may be before it counts as lost. */
const TIMEOUT = 10_000

/**
 * Publishes what should have been by now: a job whose process was killed stays claimed by it for hours, and one that failed waits longer
 * each time. One that fails again keeps none behind it. @throws the first fault, when all were tried
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
