export { decideQuote } from './decide-quote.ts'
export { statusQuotingChanged } from './quote.events.ts'
export { QuoteWriter, readQuoteOf } from './quote.store.ts'
