import type { OutboxEvent } from '@rookery/events'

/** An account is to get a digest of what it has not read since its last one. */
export const digestDue = ({ accountId, lastDueAt }: { accountId: string; lastDueAt: Date | null }): OutboxEvent => ({
  key: accountId,
  event: { $case: 'digestDue', value: { accountId, afterMilliseconds: lastDueAt?.getTime() ?? 0 } },
})
