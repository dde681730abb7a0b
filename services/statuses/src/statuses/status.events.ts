import type { RecipientAddressed, StatusDeleted, StatusPublished } from '@rookery/contracts/events'
import type { KeyedFact } from '@rookery/events'

/** A status came into being. */
export const statusPublished = (status: StatusPublished): KeyedFact => ({
  key: status.authorId,
  fact: { $case: 'statusPublished', value: status },
})

/** A status's content changed. */
export const statusEdited = (edited: { statusId: string; authorId: string }): KeyedFact => ({
  key: edited.authorId,
  fact: { $case: 'statusEdited', value: edited },
})

/** A status is gone. */
export const statusDeleted = (status: StatusDeleted): KeyedFact => ({
  key: status.authorId,
  fact: { $case: 'statusDeleted', value: status },
})

/** Somebody has reason to be told. */
export const recipientAddressed = (address: RecipientAddressed): KeyedFact => ({
  key: address.recipientId,
  fact: { $case: 'recipientAddressed', value: address },
})

/** What somebody was told of is undone; fields left empty match everything. */
export const notificationWithdrawn = (withdrawn: {
  recipientId: string
  reason: string
  actorId: string
  statusId: string
}): KeyedFact => ({
  key: withdrawn.recipientId,
  fact: { $case: 'notificationWithdrawn', value: withdrawn },
})
