import type { QuoteDecision } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { statusQuotingChanged } from './quote.events.ts'
import { type QuoteRow, QuoteWriter } from './quote.store.ts'
import { approvedQuote, endedQuote } from './quote-state.rules.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }
type QuotePair = { statusId: string; quotedId: string }

/** The quote that a decision names, by its status or by what authorized it. */
const quoteNamed = async (writer: QuoteWriter, { statusId: named, authorizationUri }: QuoteDecision) => {
  const statusId = named || (authorizationUri && (await writer.authorizedBy(authorizationUri)))
  const quotedId = statusId && (await writer.quotedBy(statusId))
  return statusId && quotedId ? { statusId, quotedId } : undefined
}

/** Puts a decision into effect; whether it changed the quote. */
const apply = async (writer: QuoteWriter, pair: QuotePair, quote: QuoteRow, { isAccepted, authorizationUri }: QuoteDecision) => {
  const state = isAccepted ? approvedQuote(quote.state) : endedQuote(quote.state)
  if (state === quote.state) return false
  await (isAccepted ? writer.accept(pair, authorizationUri || null) : writer.end(pair, { ...quote, state }))
  return true
}

/**
 * The author of a quoted status, of another server, approves a quote that waits for it, refuses it, or revokes what they approved (FEP-044f).
 * Nothing happens where the quote is not of a status of theirs, or was ended before.
 */
export const decideQuote =
  ({ database, outbox }: Deps) =>
  async (call: Call, decision: QuoteDecision): Promise<void> => {
    await transact(database.db, async (tx) => {
      const writer = new QuoteWriter(tx)
      const pair = await quoteNamed(writer, decision)
      const quote = pair && (await writer.lock(pair))
      if (!quote || quote.quotedAuthorId !== decision.authorId) return
      if (!(await apply(writer, pair, quote, decision))) return
      await outbox.append(tx, [statusQuotingChanged({ statusId: pair.statusId, authorId: quote.authorId })], call.trace)
    })
  }
