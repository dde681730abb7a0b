import { QuoteState } from '@rookery/contracts/statuses'

/** The state of a quote that the quoted author ends: a pending quote was never shown. */
export const endedQuote = (state: QuoteState): QuoteState => {
  if (state === QuoteState.PENDING) return QuoteState.REJECTED
  return state === QuoteState.ACCEPTED ? QuoteState.REVOKED : state
}

/** The state of a quote that the quoted author approves: a quote they ended stays ended. */
export const approvedQuote = (state: QuoteState): QuoteState => (state === QuoteState.PENDING ? QuoteState.ACCEPTED : state)
