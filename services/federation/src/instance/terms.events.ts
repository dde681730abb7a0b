import type { OutboxEvent } from '@rookery/events'

/** A version of the terms of service was published for this day. */
export const termsPublished = (effectiveOn: string): OutboxEvent => ({
  key: effectiveOn,
  event: { $case: 'termsPublished', value: { effectiveOn } },
})

/** The version of this day was deleted. */
export const termsDeleted = (effectiveOn: string): OutboxEvent => ({
  key: effectiveOn,
  event: { $case: 'termsDeleted', value: { effectiveOn } },
})
