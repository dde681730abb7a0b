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

/** The quote that a decision refers to, by its status or by its approval. */
const quoteNamed = async (writer: QuoteWriter, { statusId: named, authorizationUri }: QuoteDecision) => {
  const statusId = named || (authorizationUri && (await writer.authorizedBy(authorizationUri)))
  const quotedId = statusId && (await writer.quotedBy(statusId))
  return statusId && quotedId ? { statusId, quotedId } : undefined
}

/** Applies a decision; returns whether it changed the quote. */
const apply = async (writer: QuoteWriter, pair: QuotePair, quote: QuoteRow, { isAccepted, authorizationUri }: QuoteDecision) => {
  const state = isAccepted ? approvedQuote(quote.state) : endedQuote(quote.state)
  if (state === quote.state) return false
  await (isAccepted ? writer.accept(pair, authorizationUri || null) : writer.end(pair, { ...quote, state }))
  return true
}

/**
 * Applies the decision of a quoted remote author: to approve or reject a pending quote, or to revoke an approval (FEP-044f). Does nothing if the
 * quoted status is not theirs, or the quote has ended already.
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
