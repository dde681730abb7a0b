import { type QuoteAuthorizations, QuoteState, type ReadQuoteAuthorizationRequest } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { readOutgoingQuote, readStatusPlaces } from './outgoing.store.ts'
import { placesOn } from './places.ts'

/** The approval of a quote of a local status (FEP-044f); empty if the quote is not, or no longer, approved. */
export const readQuoteAuthorization =
  ({ database, baseUrl }: { database: Database<StatusesTables>; baseUrl: string }) =>
  async ({ statusId }: ReadQuoteAuthorizationRequest): Promise<QuoteAuthorizations> => {
    const places = placesOn(baseUrl)
    const [[quote], [quoting]] = await Promise.all([
      readOutgoingQuote(database, { id: statusId }),
      readStatusPlaces(database, { ids: [statusId] }),
    ])
    if (!quoting || quote?.state !== QuoteState.ACCEPTED || !quote.isQuotedLocal || !quote.quotedId || !quote.quotedUsername) {
      return { authorizations: [] }
    }
    const username = quote.quotedUsername
    return {
      authorizations: [
        {
          uri: places.quoteAuthorization(username, statusId),
          authorUsername: username,
          authorUri: places.actor({ username, uri: null }),
          quotingUri: places.status(quoting),
          quotedUri: places.status({ id: quote.quotedId, username, uri: null }),
        },
      ],
    }
  }
