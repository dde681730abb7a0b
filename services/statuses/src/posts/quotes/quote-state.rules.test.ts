import { QuoteState } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import { approvedQuote, endedQuote } from './quote-state.rules.ts'

test.each([
  ['pending', QuoteState.PENDING, QuoteState.ACCEPTED, QuoteState.REJECTED],
  ['accepted', QuoteState.ACCEPTED, QuoteState.ACCEPTED, QuoteState.REVOKED],
  ['rejected', QuoteState.REJECTED, QuoteState.REJECTED, QuoteState.REJECTED],
  ['revoked', QuoteState.REVOKED, QuoteState.REVOKED, QuoteState.REVOKED],
])('a quote that is %s becomes this when it is approved and when it is ended', (_name, state, approved, ended) => {
  expect([approvedQuote(state), endedQuote(state)]).toEqual([approved, ended])
})
