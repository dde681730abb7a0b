import type { OutboxEvent } from '@rookery/events'

/** A card shows the picture that was claimed for a subject. */
export const previewPictureKept = (subjectId: string): OutboxEvent => ({
  key: subjectId,
  event: { $case: 'previewPictureKept', value: { subjectId } },
})

/** No card shows the picture of a subject any more. */
export const previewPictureDiscarded = (subjectId: string): OutboxEvent => ({
  key: subjectId,
  event: { $case: 'previewPictureDiscarded', value: { subjectId } },
})
