import { consumer } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { redescribeAttachment } from './status.store.ts'

/** Brings a changed description or focus into the status that shows the file. */
export const attachmentDescribed = () =>
  consumer<StatusesTables, 'attachmentDescribed'>({
    name: 'statuses.attachment-described',
    topic: 'media.v1',
    kinds: ['attachmentDescribed'],
    async handle(tx, received) {
      for (const { fact } of received) {
        const { mediaId, subjectId, description, hasFocus, focusX, focusY } = fact.value
        const change = { description, ...(hasFocus ? { focus: { x: focusX, y: focusY } } : {}) }
        await redescribeAttachment(tx, { statusId: subjectId, mediaId, change })
      }
    },
  })
