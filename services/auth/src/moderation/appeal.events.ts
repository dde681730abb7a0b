import type { OutboxEvent } from '@rookery/events'
import type { Appeal, Strike } from './appeal.store.ts'

/** The event that an act was appealed, or an appeal decided. */
export const appealChanged = ({ id: actId, accountId }: Strike, { text, state }: Pick<Appeal, 'text' | 'state'>): OutboxEvent => ({
  key: accountId,
  event: { $case: 'appealChanged', value: { actId, accountId, appeal: { text, state } } },
})
