import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type ListQuotesRequest, QuotesDefinition, type StatusPage } from '@rookery/contracts/statuses'
import { type Database, type Page, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { changeQuotePolicy } from './change-quote-policy.ts'
import { readQuotes } from './quote.store.ts'
import { revokeQuote } from './revoke-quote.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; views: Views }

/** Serves Quotes of the contract: for those who may see the quoted status. */
export const createQuotesRpc = (deps: Deps): Handler => {
  const { database, views } = deps
  const revoke = revokeQuote(deps)
  const changePolicy = changeQuotePolicy(deps)

  /** @throws Failure not_found if the viewer cannot see the quoted status */
  const list = async ({ statusId, viewerId, page }: ListQuotesRequest & { page?: Page | undefined }): Promise<StatusPage> => {
    const seen = await views.byIds(viewerId, [statusId], 'direct')
    const { id, reblogOfId } = orNotFound(seen.items[0], `status ${statusId} is not shown to ${viewerId}`)
    const quotedId = reblogOfId || id
    return views.page(viewerId, pageWithin(PAGE_SIZES.statuses, page), (part) => readQuotes(database, { quotedId, viewerId, page: part }))
  }

  return handler(QuotesDefinition, {
    list: (_call, request) => list(request),
    revoke: (call, request) => revoke(call, request),
    changePolicy: (call, request) => changePolicy(call, request),
  })
}
