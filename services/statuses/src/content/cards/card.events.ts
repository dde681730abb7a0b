import type { OutboxEvent } from '@rookery/events'

/** A card uses the image claimed for a subject. */
export const previewPictureKept = (subjectId: string): OutboxEvent => ({
  key: subjectId,
  event: { $case: 'previewPictureKept', value: { subjectId } },
})

/** No card uses the image of a subject any more. */
export const previewPictureDiscarded = (subjectId: string): OutboxEvent => ({
  key: subjectId,
  event: { $case: 'previewPictureDiscarded', value: { subjectId } },
})
