import type { RevokeQuoteRequest, StatusPage } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notAllowed, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { quoteRevoked, statusQuotingChanged } from './quote.events.ts'
import { QuoteWriter } from './quote.store.ts'
import { endedQuote } from './quote-state.rules.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; views: Views }

/**
 * Revokes the quote of the viewer's status, permanently; idempotent (docs.joinmastodon.org, methods/statuses, revoke). Returns the quoting status as
 * far as the viewer may see it. It is revoked even if they may not: otherwise quoting someone and then blocking them would preserve the quote.
 * @throws Failure not_found if the viewer cannot see the status or there is no such quote of it; forbidden for another's status
 */
export const revokeQuote =
  ({ database, outbox, views }: Deps) =>
  async (call: Call, { statusId: quotedId, viewerId, quotingStatusId: statusId }: RevokeQuoteRequest): Promise<StatusPage> => {
    const { statuses } = await views.byIds(viewerId, [quotedId], 'direct')
    const quoted = orNotFound(
      statuses.find(({ id }) => id === quotedId),
      `status ${quotedId} is not shown to ${viewerId}`,
    )
    if (quoted.accountId !== viewerId) throw notAllowed(`status ${quotedId} is not ${viewerId}'s`)
    await transact(database.db, async (tx) => {
      const writer = new QuoteWriter(tx)
      const quote = orNotFound(await writer.lock({ statusId, quotedId }), `status ${statusId} does not quote ${quotedId}`)
      const state = endedQuote(quote.state)
      if (state === quote.state) return
      await writer.end({ statusId, quotedId }, { ...quote, state })
      const { authorId } = quote
      const revoked = quoteRevoked({ statusId, authorId, quotedId, quotedAuthorId: viewerId })
      await outbox.append(tx, [statusQuotingChanged({ statusId, authorId }), revoked], call.trace)
    })
    return views.byIds(viewerId, [statusId], 'direct')
  }
