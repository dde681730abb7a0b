import type { RemoteField, RemoteProfile } from '@rookery/contracts/statuses'
import { escapeHtml } from '@rookery/markup'
import { hostOf, isSameHost } from '../../host.rules.ts'
import { emojisOf } from './emojis.ts'
import {
  firstUri,
  isObject,
  isOfType,
  isTrue,
  itemsOf,
  type JsonObject,
  linkOf,
  mappedText,
  objectsOf,
  textOf,
  timeOf,
  typeAmong,
  uriOf,
  urisOf,
} from './json.ts'
import { pemOfMultikey } from './multikey.ts'

const MAX_NAME = 500
const MAX_NOTE = 40_000
const MAX_FIELDS = 16
const MAX_FIELD = 4000
const MAX_ALIASES = 32
const MAX_USERNAME = 128
const MAX_PEM = 8192
const MAX_DOMAINS = 100
const MAX_DOMAIN = 253

const ACTOR_TYPES = new Set(['Person', 'Service', 'Application', 'Group', 'Organization'] as const)

/** The content of an actor's document. */
type ActorDocument = {
  readonly uri: string
  readonly inbox: string
  /** Empty for none, like the other optional properties below. */
  readonly sharedInbox: string
  readonly outboxUri: string
  readonly followersUri: string
  readonly followingUri: string
  readonly featuredUri: string
  readonly featuredTagsUri: string
  readonly keyId: string
  readonly publicKeyPem: string
  /** An additional Ed25519 key. */
  readonly proofKeyId: string
  readonly proofPublicKeyPem: string
  /** Its `domain` is the host of the uri; only WebFinger knows if the handle has another domain. */
  readonly profile: RemoteProfile
}

const USERNAME = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i

/** The URL of the widest picture; the first one if no widths are given. */
const pictureOf = (value: unknown): string => {
  let best = ''
  let widest = -1
  for (const item of itemsOf(value, 16)) {
    const link = isObject(item) ? (linkOf(itemsOf(item['url'], 1)[0]) ?? linkOf(item)) : linkOf(item)
    const width = isObject(item) && typeof item['width'] === 'number' ? item['width'] : 0
    if (!link || width <= widest) continue
    best = link
    widest = width
  }
  return best
}

/** The URL of the HTML page of an object. Ignores pages on other hosts, which an object could impersonate. */
export const pageOf = (object: JsonObject, uri: string): string => {
  const links = itemsOf(object['url'], 64)
  const page = links.find((link) => isObject(link) && textOf(link['mediaType'], 64).startsWith('text/html'))
  for (const link of page ? [page] : links) {
    const url = linkOf(link)
    if (url && isSameHost(url, uri)) return url
  }
  return ''
}

/** The value of a profile field as HTML, in the form of Mastodon or those of FEP-fb2a. */
const fieldValue = (item: JsonObject): string => {
  if (isOfType(item, 'PropertyValue')) return textOf(item['value'], MAX_FIELD)
  if (isOfType(item, 'Note')) return mappedText(item, 'content', MAX_FIELD)
  const address = escapeHtml(linkOf(item) ?? '')
  return address && `<a href="${address}">${address}</a>`
}

/** The fields of a profile. If a server sends both forms, Mastodon's is used. */
const fieldsOf = (object: JsonObject): RemoteField[] => {
  const items = objectsOf(object['attachment'])
  const properties = items.filter((item) => isOfType(item, 'PropertyValue'))
  const others = items.filter((item) => isOfType(item, 'Note') || isOfType(item, 'Link'))
  return (properties.length > 0 ? properties : others)
    .map((item) => ({ item, name: mappedText(item, 'name', MAX_NAME), value: fieldValue(item) }))
    .filter(({ item, name, value }) => value !== '' || (name !== '' && isOfType(item, 'PropertyValue')))
    .slice(0, MAX_FIELDS)
    .map(({ name, value }) => ({ name, value }))
}

type Key = { readonly keyId: string; readonly publicKeyPem: string }

const NO_KEY: Key = { keyId: '', publicKeyPem: '' }

/** The actor's first key for requests; keys of another owner or host are ignored. */
const requestKeyOf = (object: JsonObject, uri: string): Key | undefined => {
  for (const key of objectsOf(object['publicKey'], 8)) {
    const keyId = uriOf(key)
    const publicKeyPem = textOf(key['publicKeyPem'], MAX_PEM)
    const owner = uriOf(key['owner']) ?? uri
    if (keyId && publicKeyPem && owner === uri && isSameHost(keyId, uri)) return { keyId, publicKeyPem }
  }
  return undefined
}

/** The actor's first Ed25519 key for proofs (FEP-521a); keys of another controller or host are ignored. */
const proofKeyOf = (object: JsonObject, uri: string): Key | undefined => {
  for (const key of objectsOf(object['assertionMethod'], 8)) {
    const keyId = uriOf(key)
    const publicKeyPem = pemOfMultikey(key['publicKeyMultibase'])
    if (keyId && publicKeyPem && uriOf(key['controller']) === uri && isSameHost(keyId, uri)) return { keyId, publicKeyPem }
  }
  return undefined
}

/** The actor's keys, either of which may sign requests. */
const keysOf = (object: JsonObject, uri: string) => {
  const [requests, proofs] = [requestKeyOf(object, uri), proofKeyOf(object, uri)]
  const besides = requests && proofs && proofs.keyId !== requests.keyId ? proofs : NO_KEY
  return { ...(requests ?? proofs ?? NO_KEY), proofKeyId: besides.keyId, proofPublicKeyPem: besides.publicKeyPem }
}

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

const profileOf = (object: JsonObject, { uri, username }: { uri: string; username: string }): RemoteProfile => {
  const isGroup = isOfType(object, 'Group')
  return {
    uri,
    url: pageOf(object, uri),
    username,
    domain: hostOf(uri) ?? '',
    displayName: mappedText(object, 'name', MAX_NAME),
    noteHtml: mappedText(object, 'summary', MAX_NOTE),
    fields: fieldsOf(object),
    avatarUrl: pictureOf(object['icon']),
    headerUrl: pictureOf(object['image']),
    locked: isTrue(object['manuallyApprovesFollowers']),
    bot: isOfType(object, 'Service') || isOfType(object, 'Application'),
    discoverable: flag(object['discoverable']),
    indexable: object['indexable'] === true,
    hideCollections: undefined,
    isMemorial: object['memorial'] === true,
    createdAtMilliseconds: timeOf(object['published']),
    followersCount: undefined,
    followingCount: undefined,
    statusesCount: undefined,
    emojis: emojisOf(object),
    alsoKnownAs: [...urisOf(object['alsoKnownAs'], MAX_ALIASES)],
    movedTo: uriOf(object['movedTo']) ?? '',
    replacesHandle: false,
    isGroup,
    isSuspended: object['suspended'] === true,
    attributionDomains: itemsOf(object['attributionDomains'], MAX_DOMAINS).flatMap((domain) => textOf(domain, MAX_DOMAIN) || []),
  }
}

/** The shared inbox of the actor's host; ignores one on another host, which has not confirmed it. */
const sharedInboxOf = ({ endpoints }: JsonObject, uri: string): string => {
  const shared = isObject(endpoints) ? uriOf(endpoints['sharedInbox']) : undefined
  return shared && isSameHost(shared, uri) ? shared : ''
}

/**
 * Parses an actor's document. Undefined if it is no actor, or lacks an id, an inbox, or a username that is valid in a handle.
 */
export const readActor = (document: unknown): ActorDocument | undefined => {
  if (!isObject(document) || !typeAmong(document, ACTOR_TYPES)) return undefined
  const uri = uriOf(document)
  const inbox = firstUri(document['inbox'])
  const username = textOf(document['preferredUsername'], MAX_USERNAME + 1)
  if (!uri || !inbox || username.length > MAX_USERNAME || !USERNAME.test(username)) return undefined
  return {
    uri,
    inbox,
    sharedInbox: sharedInboxOf(document, uri),
    outboxUri: uriOf(document['outbox']) ?? '',
    followersUri: uriOf(document['followers']) ?? '',
    followingUri: uriOf(document['following']) ?? '',
    featuredUri: uriOf(document['featured']) ?? '',
    featuredTagsUri: uriOf(document['featuredTags']) ?? '',
    ...keysOf(document, uri),
    profile: profileOf(document, { uri, username }),
  }
}
