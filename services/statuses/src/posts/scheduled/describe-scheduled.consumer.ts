import { consumer } from '@rookery/events'
import { descriptionOf } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { ScheduledWriter } from './scheduled.store.ts'

/** Updates the description, focus or preview of a file on its scheduled status. */
export const describeScheduled = () =>
  consumer<StatusesTables, 'attachmentDescribed'>({
    name: 'statuses.describe-scheduled',
    topic: 'media.v1',
    kinds: ['attachmentDescribed'],
    async handle(tx, received) {
      const writer = new ScheduledWriter(tx)
      for (const { event } of received) {
        await writer.redescribe({ id: event.value.subjectId, mediaId: event.value.mediaId, change: descriptionOf(event.value) })
      }
    },
  })
