import type { QuoteDecision } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import { statusQuotingChanged } from './quote.events.ts'
import { QuoteWriter } from './quote.store.ts'
import { approvedQuote, endedQuote } from './quote-state.rules.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox }

/**
 * The author of a quoted status, of another server, approves a quote that waits for it, refuses it, or revokes what they approved (FEP-044f).
 * Nothing happens where the quote is not of a status of theirs, or was ended before.
 */
export const decideQuote =
  ({ database, outbox }: Deps) =>
  async (call: Call, { authorId: quotedAuthorId, isAccepted, authorizationUri, ...named }: QuoteDecision): Promise<void> => {
    await transact(database.db, async (tx) => {
      const writer = new QuoteWriter(tx)
      const statusId = named.statusId || (authorizationUri ? await writer.authorizedBy(authorizationUri) : undefined)
      const quotedId = statusId && (await writer.quotedBy(statusId))
      if (!statusId || !quotedId) return
      const quote = await writer.lock({ statusId, quotedId })
      if (quote?.quotedAuthorId !== quotedAuthorId) return
      const state = isAccepted ? approvedQuote(quote.state) : endedQuote(quote.state)
      if (state === quote.state) return
      if (isAccepted) await writer.accept({ statusId, quotedId }, authorizationUri || null)
      else await writer.end({ statusId, quotedId }, { ...quote, state })
      await outbox.append(tx, [statusQuotingChanged({ statusId, authorId: quote.authorId })], call.trace)
    })
  }
