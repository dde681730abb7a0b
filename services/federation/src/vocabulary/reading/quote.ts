import { recipientsIn } from './audience.ts'
import { firstUri, isObject, isOfType, itemsOf, type JsonObject, linkOf, objectsOf, textOf, uriOf } from './json.ts'

/** The quote of an object. Uris are empty if there are none. */
export type Quoting = {
  readonly quotedUri: string
  /** The uri of the approval that it claims (FEP-044f). */
  readonly quoteAuthorizationUri: string
  /** Whether it quotes by FEP-044f, which requires approval by the quoted author. */
  readonly needsQuoteApproval: boolean
}

const ACTIVITY_JSON = /^application\/(?:activity\+json|ld\+json)/i
/** FEP-e232: a Link among the tags whose media type or relation marks it as a quote. */
const quoteAmongTags = (object: JsonObject): string | undefined => {
  const link = objectsOf(object['tag']).find(
    (tag) =>
      isOfType(tag, 'Link') &&
      (ACTIVITY_JSON.test(textOf(tag['mediaType'], 128)) ||
        itemsOf(tag['rel'], 8).some((rel) => typeof rel === 'string' && rel.endsWith('_misskey_quote'))),
  )
  return link && linkOf(link)
}

/** The quote of an object: by FEP-044f, else in the formats of Fedibird, Pleroma, Misskey and FEP-e232, which need no approval. */
export const quotingOf = (object: JsonObject): Quoting => {
  const quoted = uriOf(object['quote'])
  if (quoted) {
    return { quotedUri: quoted, quoteAuthorizationUri: uriOf(object['quoteAuthorization']) ?? '', needsQuoteApproval: true }
  }
  const unapproved = ['quoteUrl', 'quoteUri', '_misskey_quote'].flatMap((name) => uriOf(object[name]) ?? [])[0]
  return { quotedUri: unapproved ?? quoteAmongTags(object) ?? '', quoteAuthorizationUri: '', needsQuoteApproval: false }
}

/**
 * The actors who may quote an object without approval, by its interaction policy (FEP-044f): ids, with PUBLIC for everyone; undefined
 * without a policy.
 */
export const quotersOf = (object: JsonObject): readonly string[] | undefined => {
  const policy = object['interactionPolicy']
  const canQuote = isObject(policy) ? policy['canQuote'] : undefined
  return isObject(canQuote) ? recipientsIn(canQuote['automaticApproval']) : undefined
}

/** The approval of a quote. */
export type QuoteAuthorizationDocument = {
  readonly uri: string
  readonly authorUri: string
  readonly quotingUri: string
  readonly quotedUri: string
}

/** Parses the approval of a quote; undefined if invalid. */
export const readQuoteAuthorization = (document: unknown): QuoteAuthorizationDocument | undefined => {
  if (!isObject(document) || !isOfType(document, 'QuoteAuthorization')) return undefined
  const uri = uriOf(document)
  const authorUri = firstUri(document['attributedTo'])
  const quotingUri = uriOf(document['interactingObject'])
  const quotedUri = uriOf(document['interactionTarget'])
  return uri && authorUri && quotingUri && quotedUri ? { uri, authorUri, quotingUri, quotedUri } : undefined
}
