import { type ChangeQuotePolicyRequest, QuotePolicy, type StatusPage } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import { allowedQuotePolicy } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { statusQuotingChanged } from './quote.events.ts'
import { QuoteWriter } from './quote.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; views: Views }

/**
 * Changes who may quote the viewer's own status; accepted quotes stay (docs.joinmastodon.org, methods/statuses, interaction_policy).
 * @throws Failure not_found if the status is not the viewer's own; invalid without a policy
 */
export const changeQuotePolicy =
  ({ database, outbox, views }: Deps) =>
  async (call: Call, { statusId, viewerId, quotePolicy }: ChangeQuotePolicyRequest): Promise<StatusPage> => {
    await transact(database.db, async (tx) => {
      const writer = new QuoteWriter(tx)
      const { visibility } = orNotFound(await writer.own(statusId, viewerId), `status ${statusId} is not ${viewerId}'s`)
      if (quotePolicy === QuotePolicy.UNSPECIFIED) throw invalid('Quote approval policy is not included in the list')
      if (!(await writer.setPolicy(statusId, allowedQuotePolicy(quotePolicy, visibility)))) return
      await outbox.append(tx, [statusQuotingChanged({ statusId, authorId: viewerId })], call.trace)
    })
    return views.byIds(viewerId, [statusId], 'direct')
  }
