import type { KeyedFact } from '@rookery/events'

/** A card shows the picture that was claimed for a subject. */
export const previewPictureKept = (subjectId: string): KeyedFact => ({
  key: subjectId,
  fact: { $case: 'previewPictureKept', value: { subjectId } },
})

/** No card shows the picture of a subject any more. */
export const previewPictureDiscarded = (subjectId: string): KeyedFact => ({
  key: subjectId,
  fact: { $case: 'previewPictureDiscarded', value: { subjectId } },
})
