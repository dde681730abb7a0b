import type { OutboxEvent } from '@rookery/events'

/** A status was scheduled, or its files changed: the current ones, and the removed ones. */
export const statusScheduled = (given: {
  id: string
  accountId: string
  mediaIds: readonly string[]
  releasedMediaIds?: readonly string[]
}): OutboxEvent => ({
  key: given.accountId,
  event: {
    $case: 'statusScheduled',
    value: {
      scheduledId: given.id,
      accountId: given.accountId,
      mediaIds: [...given.mediaIds],
      releasedMediaIds: [...(given.releasedMediaIds ?? [])],
    },
  },
})

/** A scheduled status was cancelled. */
export const scheduleCancelled = (given: { id: string; accountId: string }): OutboxEvent => ({
  key: given.accountId,
  event: { $case: 'scheduleCancelled', value: { scheduledId: given.id, accountId: given.accountId } },
})
