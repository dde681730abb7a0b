import { QuoteState } from '@rookery/contracts/statuses'

/** The state after the quoted author ends a quote: pending quotes are rejected, accepted ones revoked. */
export const endedQuote = (state: QuoteState): QuoteState => {
  if (state === QuoteState.PENDING) return QuoteState.REJECTED
  return state === QuoteState.ACCEPTED ? QuoteState.REVOKED : state
}

/** The state after the quoted author approves a quote: an ended quote stays ended. */
export const approvedQuote = (state: QuoteState): QuoteState => (state === QuoteState.PENDING ? QuoteState.ACCEPTED : state)
