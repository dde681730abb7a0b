import type { JsonObject } from '../reading/json.ts'

const ACTIVITY_STREAMS = 'https://www.w3.org/ns/activitystreams'
const SECURITY = 'https://w3id.org/security/v1'

/** JSON-LD definitions of the terms beyond ActivityStreams, and the prefixes that they use. */
const PREFIXES: Readonly<Record<string, string>> = {
  toot: 'http://joinmastodon.org/ns#',
  schema: 'http://schema.org#',
  ostatus: 'http://ostatus.org#',
  gts: 'https://gotosocial.org/ns#',
}
const reference = (id: string) => ({ '@id': id, '@type': '@id' })
const TERMS: Readonly<Record<string, unknown>> = {
  manuallyApprovesFollowers: 'as:manuallyApprovesFollowers',
  alsoKnownAs: reference('as:alsoKnownAs'),
  movedTo: reference('as:movedTo'),
  sensitive: 'as:sensitive',
  Hashtag: 'as:Hashtag',
  Emoji: 'toot:Emoji',
  featured: reference('toot:featured'),
  featuredTags: reference('toot:featuredTags'),
  discoverable: 'toot:discoverable',
  indexable: 'toot:indexable',
  suspended: 'toot:suspended',
  memorial: 'toot:memorial',
  blurhash: 'toot:blurhash',
  focalPoint: { '@container': '@list', '@id': 'toot:focalPoint' },
  votersCount: 'toot:votersCount',
  attributionDomains: reference('toot:attributionDomains'),
  PropertyValue: 'schema:PropertyValue',
  value: 'schema:value',
  quote: reference('https://w3id.org/fep/044f#quote'),
  quoteAuthorization: reference('https://w3id.org/fep/044f#quoteAuthorization'),
  QuoteRequest: 'https://w3id.org/fep/044f#QuoteRequest',
  QuoteAuthorization: 'https://w3id.org/fep/044f#QuoteAuthorization',
  interactionPolicy: reference('gts:interactionPolicy'),
  canQuote: reference('gts:canQuote'),
  automaticApproval: reference('gts:automaticApproval'),
  manualApproval: reference('gts:manualApproval'),
  interactingObject: reference('gts:interactingObject'),
  interactionTarget: reference('gts:interactionTarget'),
  quoteUri: 'http://fedibird.com/ns#quoteUri',
  _misskey_quote: 'https://misskey-hub.net/ns#_misskey_quote',
}

/** The names of properties and types in a JSON document of ours, which is shallow. */
const namesIn = (value: unknown, found: Set<string> = new Set()): Set<string> => {
  if (Array.isArray(value)) for (const item of value) namesIn(item, found)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, held] of Object.entries(value)) {
      found.add(name)
      if (name === 'type' && typeof held === 'string') found.add(held)
      else namesIn(held, found)
    }
  }
  return found
}

/** Adds the JSON-LD context with only the terms that the document uses. */
export const withContext = (document: JsonObject): JsonObject => {
  const names = namesIn(document)
  const terms = Object.entries(TERMS).filter(([term]) => names.has(term))
  const meanings = JSON.stringify(terms)
  const prefixes = Object.entries(PREFIXES).filter(([prefix]) => meanings.includes(`"${prefix}:`))
  const context = [
    ACTIVITY_STREAMS,
    ...(names.has('publicKey') ? [SECURITY] : []),
    ...(terms.length > 0 ? [Object.fromEntries([...prefixes, ...terms])] : []),
  ]
  return { '@context': context.length === 1 ? ACTIVITY_STREAMS : context, ...document }
}

/** A serialised activity and its id, for delivery. */
export type Payload = { readonly activityId: string; readonly payload: Buffer }

/** Serialises an activity with its context. */
export const payloadOf = (activity: JsonObject): Payload => ({
  activityId: String(activity['id']),
  payload: Buffer.from(JSON.stringify(withContext(activity))),
})
