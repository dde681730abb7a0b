import { consumer } from '@rookery/events'
import { descriptionOf, previewOf } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { redescribeAttachment } from './status.store.ts'

/** Brings a changed description, focus or preview into the status that shows the file, and the preview into what it was before edits. */
export const attachmentDescribed = () =>
  consumer<StatusesTables, 'attachmentDescribed'>({
    name: 'statuses.attachment-described',
    topic: 'media.v1',
    kinds: ['attachmentDescribed'],
    async handle(tx, received) {
      for (const { event } of received) {
        const { mediaId, subjectId: statusId } = event.value
        await redescribeAttachment(tx, { statusId, mediaId, change: descriptionOf(event.value), preview: previewOf(event.value) })
      }
    },
  })
