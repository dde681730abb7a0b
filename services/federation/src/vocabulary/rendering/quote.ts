import { type OutgoingStatus, type QuoteAuthorization, QuotePolicy } from '@rookery/contracts/statuses'
import { withQuoteInline } from '@rookery/markup'
import { PUBLIC } from '../reading/audience.ts'
import type { JsonObject } from '../reading/json.ts'
import type { Places } from './places.ts'

/** The content of a status, preceded by a link to the quoted status. */
export const contentWithQuote = ({ content, quotedUri }: Pick<OutgoingStatus, 'content' | 'quotedUri'>): string =>
  quotedUri ? withQuoteInline(content, quotedUri) : content

/** The actors who may quote a status without approval (FEP-044f); the author always may. */
const approvedAtOnce = ({ quotePolicy, authorUsername }: OutgoingStatus, at: Places): string[] => {
  if (quotePolicy === QuotePolicy.PUBLIC) return [PUBLIC]
  if (quotePolicy === QuotePolicy.FOLLOWERS) return [at.actor(authorUsername), at.followers(authorUsername)]
  return [at.actor(authorUsername)]
}

/** The quote of a status and its approval, and the quote policy of the status itself. */
export const quotingPart = (status: OutgoingStatus, at: Places): JsonObject => {
  const { quotedUri, quoteAuthorizationUri } = status
  return {
    ...(quotedUri ? { quote: quotedUri, quoteUri: quotedUri, _misskey_quote: quotedUri } : {}),
    ...(quoteAuthorizationUri ? { quoteAuthorization: quoteAuthorizationUri } : {}),
    interactionPolicy: { canQuote: { automaticApproval: approvedAtOnce(status, at), manualApproval: [] } },
  }
}

/** A request to the author of a status for approval of a quote; embeds the quoting status. */
export const renderQuoteRequest = (request: {
  id: string
  actor: string
  author: string
  quoted: string
  instrument: JsonObject
}): JsonObject => ({
  id: request.id,
  type: 'QuoteRequest',
  actor: request.actor,
  to: [request.author],
  object: request.quoted,
  instrument: request.instrument,
})

/** The approval of a quote of a local status. */
export const renderQuoteAuthorization = ({ uri, authorUri, quotingUri, quotedUri }: QuoteAuthorization): JsonObject => ({
  id: uri,
  type: 'QuoteAuthorization',
  attributedTo: authorUri,
  interactingObject: quotingUri,
  interactionTarget: quotedUri,
})
