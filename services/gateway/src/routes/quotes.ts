import { PAGE_SIZES } from '@rookery/contracts/limits'
import { QuotePolicy } from '@rookery/contracts/statuses'
import { invalid } from '@rookery/failures'
import { User } from '../http/access.ts'
import { endpoint, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging, text } from '../http/fields.ts'
import { recordId, statusesReply, statusReply } from './replies.ts'

const POLICIES: ReadonlyMap<string, QuotePolicy> = new Map([
  ['public', QuotePolicy.PUBLIC],
  ['followers', QuotePolicy.FOLLOWERS],
  ['nobody', QuotePolicy.NOBODY],
])

/** A policy by the API's word; undefined if absent. @throws Failure invalid */
export const quotePolicyOf = (word: string | undefined): QuotePolicy | undefined => {
  if (!word) return undefined
  const policy = POLICIES.get(word)
  if (policy === undefined) throw invalid('Quote approval policy is not included in the list')
  return policy
}

export const readQuotes = endpoint({
  method: 'GET',
  path: '/api/v1/statuses/:id/quotes',
  access: User('read:statuses'),
  summary: 'Statuses that quote a status, latest first.',
  input: form(paging(PAGE_SIZES.statuses)),
  handle: async ({ call, params, input, viewerId }, clients) =>
    statusesReply(await clients.quotes.list(call, { statusId: recordId(params), viewerId, page: pageOf(input) }), clients, STATUS_LIST),
})

export const revokeQuote = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
  access: User('write:statuses'),
  summary: "Takes one's own status out of a status that quotes it; the answer is the latter.",
  handle: async ({ call, params, viewerId }, clients) => {
    const request = { statusId: recordId(params), viewerId, quotingStatusId: recordId(params, 'quoting_status_id') }
    return statusReply(await clients.quotes.revoke(call, request), clients)
  },
})

export const changeInteractionPolicy = endpoint({
  method: 'PUT',
  path: '/api/v1/statuses/:id/interaction_policy',
  access: User('write:statuses'),
  summary: "Says who may quote one's own status from now on: public, followers or nobody.",
  input: form({ quote_approval_policy: text() }),
  handle: async ({ call, params, input, viewerId }, clients) => {
    const statusId = recordId(params)
    const quotePolicy = quotePolicyOf(input.quote_approval_policy)
    return statusReply(
      await clients.quotes.changePolicy(call, { statusId, viewerId, quotePolicy: quotePolicy ?? QuotePolicy.UNSPECIFIED }),
      clients,
    )
  },
})
