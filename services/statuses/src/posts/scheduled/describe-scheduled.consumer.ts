import { consumer } from '@rookery/events'
import type { StatusesTables } from '../../database/schema.ts'
import { ScheduledWriter } from './scheduled.store.ts'

/** Brings a changed description or focus into the scheduled status that will show the file. */
export const describeScheduled = () =>
  consumer<StatusesTables, 'attachmentDescribed'>({
    name: 'statuses.describe-scheduled',
    topic: 'media.v1',
    kinds: ['attachmentDescribed'],
    async handle(tx, received) {
      const writer = new ScheduledWriter(tx)
      for (const { fact } of received) {
        const { mediaId, subjectId, description, hasFocus, focusX, focusY } = fact.value
        const change = { description, ...(hasFocus ? { focus: { x: focusX, y: focusY } } : {}) }
        await writer.redescribe({ id: subjectId, mediaId, change })
      }
    },
  })
