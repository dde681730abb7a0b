import type { StatusPage } from '@rookery/contracts/statuses'
import { completedStep, transact } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import { draftPreparer, finalizeDraft, inAttempts, PUBLISH_SCHEDULED, type PublishDeps, writeStatus } from '../statuses/index.ts'
import { setTime } from './schedule-job.ts'
import { requestOf } from './scheduled.message.ts'
import { ScheduledReader, type ScheduledRow } from './scheduled.store.ts'

/** The dependencies of publishing a scheduled status, whose files are claimed already. */
export type DueDeps = Omit<PublishDeps, 'claims'>

const MAX_ATTEMPTS = 8
/** After so many attempts a post keeps its id, although its author has published a higher one: a clock was set back. */
export const MAX_ORDERED = 5

/**
 * Turns a scheduled status into a status of this moment; the one appears and the other goes in one statement. Undefined when it was
 * changed, published or cancelled since it was read, or with `isOrdered` when the author has published a higher id. Its files need no call: they are held by its id, and pass on by the event.
 * @throws Failure what posting it now would
 */
export const publishRow = (deps: DueDeps) => {
  const prepareDraft = draftPreparer(deps)
  const write = writeStatus(deps)
  return async (
    row: ScheduledRow,
    options: { trace: string; isOrdered: boolean; reservation?: string | undefined },
  ): Promise<StatusPage | undefined> => {
    const draft = await prepareDraft(requestOf(row))
    // Without a key nothing can have been made by it.
    if (typeof draft === 'string') throw new Error(`a scheduled status has the key of ${draft}`)
    return deps.inPostingOrder(row.accountId, () =>
      write(finalizeDraft(draft, deps.ids.next(), row.attachments), { ...options, scheduled: row }),
    )
  }
}

/**
 * Publishes one's own scheduled status or draft now, regardless of its time.
 * @throws Failure not_found when it is another's or gone, and what posting it would
 */
export const publishScheduled = (deps: DueDeps) => {
  const { database } = deps
  const publish = publishRow(deps)
  const reader = new ScheduledReader(database.db)
  /** The post that the request made already, when it is repeated. */
  const published = async (call: Call, { id, viewerId }: { id: string; viewerId: string }): Promise<StatusPage> => {
    const statusId = await completedStep<string>(database.db, { call, step: PUBLISH_SCHEDULED })
    return deps.views.byIds(viewerId, [orNotFound(statusId, `scheduled status ${id} is not ${viewerId}'s`)], 'own')
  }
  return async (call: Call, { id, viewerId }: { id: string; viewerId: string }): Promise<StatusPage> => {
    return inAttempts(MAX_ATTEMPTS, async (before) => {
      const row = await reader.find(id, viewerId)
      if (!row) return published(call, { id, viewerId })
      const page = await publish(row, { ...call, isOrdered: before < MAX_ORDERED })
      // Its job would find nothing to do; a death before this leaves it at that.
      if (page && row.scheduledAt) await transact(database.db, (tx) => setTime(tx, id, null))
      return page
    })
  }
}
