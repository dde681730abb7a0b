import type { QuoteRevoked, StatusQuotingChanged } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** The quote of a status, or its quote policy, changed. */
export const statusQuotingChanged = (status: StatusQuotingChanged): OutboxEvent => ({
  key: status.authorId,
  event: { $case: 'statusQuotingChanged', value: status },
})

/** The author of a quoted status revoked the quote. */
export const quoteRevoked = (quote: QuoteRevoked): OutboxEvent => ({
  key: quote.quotedAuthorId,
  event: { $case: 'quoteRevoked', value: quote },
})
