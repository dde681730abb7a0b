import { QuoteState } from '@rookery/contracts/statuses'

/** What a quote becomes when the author of the quoted status ends it: one that waits for approval was never shown. */
export const endedQuote = (state: QuoteState): QuoteState => {
  if (state === QuoteState.PENDING) return QuoteState.REJECTED
  return state === QuoteState.ACCEPTED ? QuoteState.REVOKED : state
}

/** What it becomes when they approve it: what they ended stays so. */
export const approvedQuote = (state: QuoteState): QuoteState => (state === QuoteState.PENDING ? QuoteState.ACCEPTED : state)
