import type { StatusDeleted, StatusEdited, StatusPublished } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** A status was published. */
export const statusPublished = (status: StatusPublished): OutboxEvent => ({
  key: status.authorId,
  event: { $case: 'statusPublished', value: status },
})

/** A status's content changed. */
export const statusEdited = (edited: StatusEdited): OutboxEvent => ({
  key: edited.authorId,
  event: { $case: 'statusEdited', value: edited },
})

/** A status was deleted. */
export const statusDeleted = (status: StatusDeleted): OutboxEvent => ({
  key: status.authorId,
  event: { $case: 'statusDeleted', value: status },
})
