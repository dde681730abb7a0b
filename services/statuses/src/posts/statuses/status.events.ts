import type { StatusDeleted, StatusPublished } from '@rookery/contracts/events'
import type { KeyedFact } from '@rookery/events'

/** A status came into being. */
export const statusPublished = (status: StatusPublished): KeyedFact => ({
  key: status.authorId,
  fact: { $case: 'statusPublished', value: status },
})

/** A status's content changed. */
export const statusEdited = (edited: { statusId: string; authorId: string; previousTags: string[]; hasJoiners: boolean }): KeyedFact => ({
  key: edited.authorId,
  fact: { $case: 'statusEdited', value: edited },
})

/** A status is gone. */
export const statusDeleted = (status: StatusDeleted): KeyedFact => ({
  key: status.authorId,
  fact: { $case: 'statusDeleted', value: status },
})
