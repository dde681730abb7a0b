import { consumer } from '@rookery/events'
import { descriptionOf, previewOf } from '../../content/attachments/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { redescribeAttachment } from './status.store.ts'

/** Updates the description, focus or preview of a file on its status, and the preview on the status's revisions. */
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
