import type { StatusPage } from '@rookery/contracts/statuses'
import { completedStep, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import { draftPreparer, finalizeDraft, inAttempts, PUBLISH_SCHEDULED, type PublishDeps, writeStatus } from '../statuses/index.ts'
import { setTime } from './schedule-job.ts'
import { requestOf } from './scheduled.message.ts'
import { ScheduledReader, type ScheduledRow } from './scheduled.store.ts'

/** The dependencies of publishing a scheduled status, whose files are already claimed. */
export type DueDeps = Omit<PublishDeps, 'claims'>

const MAX_ATTEMPTS = 8
/** Attempts after which a post keeps its id, although its author has published a higher one: a clock was set back. */
export const MAX_ORDERED = 5

/**
 * Replaces a scheduled status by a new status, in one statement. Undefined if it was changed, published or cancelled since it was read, or with
 * `isOrdered` if the author has published a higher id. Its files need no call: they are claimed for its id, and the event transfers them.
 * @throws Failure as posting now would
 */
export const publishRow = (deps: DueDeps) => {
  const prepareDraft = draftPreparer(deps)
  const write = writeStatus(deps)
  return async (
    row: ScheduledRow,
    options: { trace: string; isOrdered: boolean; reservation?: string | undefined },
  ): Promise<StatusPage | undefined> => {
    const draft = await prepareDraft(requestOf(row))
    // Only a key makes it return an id, and there is none here.
    if (typeof draft === 'string') throw new Error(`a scheduled status has the key of ${draft}`)
    return deps.inPostingOrder(row.accountId, () =>
      write(finalizeDraft(draft, deps.ids.next(), row.attachments), { ...options, scheduled: row }),
    )
  }
}

/**
 * Publishes the viewer's own scheduled status or draft now, regardless of its time.
 * @throws Failure not_found if it is another's or deleted; otherwise as posting would
 */
export const publishScheduled = (deps: DueDeps) => {
  const { database } = deps
  const publish = publishRow(deps)
  const reader = new ScheduledReader(database.db)
  /** The post that a repeated request already published. */
  const published = async (call: Call, { id, viewerId }: { id: string; viewerId: string }): Promise<StatusPage> => {
    const statusId = await completedStep<string>(database.db, { call, step: PUBLISH_SCHEDULED })
    return deps.views.byIds(viewerId, [orNotFound(statusId, `scheduled status ${id} is not ${viewerId}'s`)], 'own')
  }
  return async (call: Call, { id, viewerId }: { id: string; viewerId: string }): Promise<StatusPage> => {
    return inAttempts(MAX_ATTEMPTS, async (before) => {
      const row = await reader.find(id, viewerId)
      if (!row) return published(call, { id, viewerId })
      const page = await publish(row, { ...call, isOrdered: before < MAX_ORDERED })
      // The job would find nothing to do, so a crash before this is harmless.
      if (page && row.scheduledAt) await transact(database.db, (tx) => setTime(tx, id, null))
      return page
    })
  }
}
