import { type OutgoingStatus, type QuoteAuthorization, QuotePolicy } from '@rookery/contracts/statuses'
import { withQuoteInline } from '@rookery/markup'
import { PUBLIC } from '../reading/audience.ts'
import type { JsonObject } from '../reading/json.ts'
import type { Places } from './places.ts'

/** What a status says, with a link to what it quotes in front. */
export const contentWithQuote = ({ content, quotedUri }: Pick<OutgoingStatus, 'content' | 'quotedUri'>): string =>
  quotedUri ? withQuoteInline(content, quotedUri) : content

/** Who may quote a status (FEP-044f): its author always may. */
const approvedAtOnce = ({ quotePolicy, authorUsername }: OutgoingStatus, at: Places): string[] => {
  if (quotePolicy === QuotePolicy.PUBLIC) return [PUBLIC]
  if (quotePolicy === QuotePolicy.FOLLOWERS) return [at.actor(authorUsername), at.followers(authorUsername)]
  return [at.actor(authorUsername)]
}

/** The quoted status of a status, its authorization, and who may quote the status itself. */
export const quotingPart = (status: OutgoingStatus, at: Places): JsonObject => {
  const { quotedUri, quoteAuthorizationUri } = status
  return {
    ...(quotedUri ? { quote: quotedUri, quoteUri: quotedUri, _misskey_quote: quotedUri } : {}),
    ...(quoteAuthorizationUri ? { quoteAuthorization: quoteAuthorizationUri } : {}),
    interactionPolicy: { canQuote: { automaticApproval: approvedAtOnce(status, at), manualApproval: [] } },
  }
}

/** Asks the author of a status whether it may be quoted; the quoting status is sent along. */
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

/** What approves a quote of a status of this server. */
export const renderQuoteAuthorization = ({ uri, authorUri, quotingUri, quotedUri }: QuoteAuthorization): JsonObject => ({
  id: uri,
  type: 'QuoteAuthorization',
  attributedTo: authorUri,
  interactingObject: quotingUri,
  interactionTarget: quotedUri,
})
