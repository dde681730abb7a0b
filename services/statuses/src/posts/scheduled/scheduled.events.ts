import type { OutboxEvent } from '@rookery/events'

/** A status waits for its time, or the files it will show changed: these it will, those it will not any more. */
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

/** A scheduled status will never be published. */
export const scheduleCancelled = (given: { id: string; accountId: string }): OutboxEvent => ({
  key: given.accountId,
  event: { $case: 'scheduleCancelled', value: { scheduledId: given.id, accountId: given.accountId } },
})
