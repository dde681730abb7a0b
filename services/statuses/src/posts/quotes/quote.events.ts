import type { QuoteRevoked, StatusQuotingChanged } from '@rookery/contracts/events'
import type { OutboxEvent } from '@rookery/events'

/** What a status quotes, or who may quote it, is not what it was. */
export const statusQuotingChanged = (status: StatusQuotingChanged): OutboxEvent => ({
  key: status.authorId,
  event: { $case: 'statusQuotingChanged', value: status },
})

/** The author of a quoted status took it out of a quote. */
export const quoteRevoked = (quote: QuoteRevoked): OutboxEvent => ({
  key: quote.quotedAuthorId,
  event: { $case: 'quoteRevoked', value: quote },
})
