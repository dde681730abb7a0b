import { type Database, transactOnce } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { AttachmentReleases } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { setTime } from './schedule-job.ts'
import { scheduleCancelled } from './scheduled.events.ts'
import { ScheduledWriter } from './scheduled.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; releases: AttachmentReleases }

/**
 * Deletes a scheduled status and releases its files before the response (spec, DELETE /api/v1/scheduled_statuses/:id).
 * @throws Failure not_found if it is another's or deleted
 */
export const cancelScheduled =
  ({ database, outbox, releases }: Deps) =>
  async (call: Call, { id, viewerId: accountId }: { id: string; viewerId: string }): Promise<void> => {
    const mediaIds = await transactOnce(database.db, { call, step: 'cancel-scheduled' }, async (tx) => {
      const removed = await new ScheduledWriter(tx).remove({ id, accountId })
      if (!removed) throw notFound(`scheduled status ${id} is not ${accountId}'s`)
      await setTime(tx, id, null)
      if (removed.attachments.length > 0) await outbox.append(tx, [scheduleCancelled({ id, accountId })], call.trace)
      return removed.attachments.map((attachment) => attachment.id)
    })
    await releases(call, { ownerId: accountId, subjectId: id, mediaIds })
  }
