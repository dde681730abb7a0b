import type { OutboxEvent } from '@rookery/events'

/** There are terms of service from a day on. */
export const termsPublished = (effectiveOn: string): OutboxEvent => ({
  key: effectiveOn,
  event: { $case: 'termsPublished', value: { effectiveOn } },
})

/** There are none from that day on any more. */
export const termsDeleted = (effectiveOn: string): OutboxEvent => ({
  key: effectiveOn,
  event: { $case: 'termsDeleted', value: { effectiveOn } },
})
