import type { OutboxEvent } from '@rookery/events'

/** The event that a digest of an account's unread notifications since its last one is due. */
export const digestDue = ({ accountId, lastDueAt }: { accountId: string; lastDueAt: Date | null }): OutboxEvent => ({
  key: accountId,
  event: { $case: 'digestDue', value: { accountId, afterMilliseconds: lastDueAt?.getTime() ?? 0 } },
})
