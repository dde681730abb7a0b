export { statusQuotingChanged } from './quote.events.ts'
export { QuoteWriter } from './quote.store.ts'
