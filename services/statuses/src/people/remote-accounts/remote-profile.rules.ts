import type { CustomEmoji, RemoteProfile } from '@rookery/contracts/statuses'
import { domainName } from '@rookery/domain-names'
import { invalid } from '@rookery/failures'
import { sanitiseRemote } from '@rookery/markup'
import { cut } from '../../content/text/index.ts'
import type { StoredField } from '../../database/tables/account.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'

/** Maximum characters, unless the name says otherwise, of values from other servers; longer ones are truncated. */
const MAX = {
  username: 128,
  domain: 259,
  name: 500,
  noteBytes: 20_480,
  fields: 50,
  fieldName: 255,
  fieldValue: 2047,
  emojis: 50,
  address: 2048,
  attributionDomains: 100,
}
const MAX_COUNT = 2_147_483_647
/** Maximum aliases of an account. */
const MAX_ALIASES = 10

const USERNAME = /^\w(?:[\w.-]*\w)?$/
const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
const SHORTCODE = /^\w{2,64}$/

/** An http or https URL; empty for anything else. */
const webAddress = (text: string): string => {
  const url = text.length > MAX.address ? null : URL.parse(text)
  const isWeb = url && (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.password
  return isWeb ? url.href : ''
}

/** A text on one line, truncated. */
const line = (text: string, max: number): string => {
  const words = text
    .slice(0, max * 8)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return [...words].slice(0, max).join('')
}

const cutBytes = (text: string, max: number): string =>
  Buffer.byteLength(text) <= max ? text : new TextDecoder().decode(Buffer.from(text).subarray(0, max)).replace(/\ufffd{1,3}$/, '')

const emojisOf = (emojis: readonly CustomEmoji[]): StoredEmoji[] =>
  emojis.slice(0, MAX.emojis).flatMap(({ shortcode, url, staticUrl }) => {
    const address = webAddress(url)
    if (!SHORTCODE.test(shortcode) || !address) return []
    return [{ shortcode, category: null, url: address, static_url: webAddress(staticUrl) || address, visible_in_picker: false }]
  })

const fieldsOf = (fields: RemoteProfile['fields']): StoredField[] =>
  fields.slice(0, MAX.fields).map(({ name, value }) => {
    const html = sanitiseRemote(cut(value, MAX.fieldValue))
    return { name: line(name, MAX.fieldName), value: html, html }
  })

const countOf = (count: number | undefined) =>
  count === undefined || !Number.isFinite(count) ? undefined : Math.min(Math.max(0, Math.trunc(count)), MAX_COUNT)

/** The stored columns of a remote account. */
export type RemoteColumns = {
  username: string
  domain: string
  uri: string
  url: string | null
  displayName: string
  noteHtml: string
  fields: StoredField[]
  avatarUrl: string
  avatarStaticUrl: string
  headerUrl: string
  headerStaticUrl: string
  locked: boolean
  bot: boolean
  isGroup: boolean
  discoverable: boolean
  indexable: boolean
  hideCollections: boolean | null
  isMemorial: boolean
  emojis: StoredEmoji[]
  attributionDomains: string[]
}

/** Counts of the account's own server; absent if not given. */
export type RemoteCounts = { followersCount?: number; followingCount?: number; statusesCount?: number }

/** Valid counts, within the range of a column. */
export const countsOf = (profile: Pick<RemoteProfile, 'followersCount' | 'followingCount' | 'statusesCount'>): RemoteCounts => {
  const counts = Object.entries({
    followersCount: countOf(profile.followersCount),
    followingCount: countOf(profile.followingCount),
    statusesCount: countOf(profile.statusesCount),
  })
  return Object.fromEntries(counts.filter(([, count]) => count !== undefined))
}

const domainsOf = (domains: readonly string[]): string[] => [
  ...new Set(domains.slice(0, MAX.attributionDomains).flatMap((domain) => domainName(domain) ?? [])),
]

/** @throws Failure invalid for an account that cannot be remote */
const refuseFaulty = ({ uri, username, domain }: RemoteProfile, ownDomain: string) => {
  if (!webAddress(uri)) throw invalid('Uri is invalid')
  if (username.length > MAX.username || !USERNAME.test(username)) throw invalid('Username is invalid')
  if (domain.length > MAX.domain || !DOMAIN.test(domain)) throw invalid('Domain is invalid')
  if (domain === ownDomain || URL.parse(uri)?.host === ownDomain) throw invalid('Domain is the name of this server')
}

/**
 * Normalises the profile of a remote account: HTML by allow-list, everything within bounds, only http and https URLs. Discoverable and indexable only
 * if it says so.
 * @throws Failure invalid for an impossible uri, username or domain
 */
export const keptProfile = (
  profile: RemoteProfile,
  { ownDomain, now }: { ownDomain: string; now: number },
): { columns: RemoteColumns; counts: RemoteCounts; createdAt: Date; aliases: string[] } => {
  refuseFaulty(profile, ownDomain)
  const [avatarUrl, headerUrl] = [webAddress(profile.avatarUrl), webAddress(profile.headerUrl)]
  const columns = {
    username: profile.username,
    domain: profile.domain,
    uri: profile.uri,
    url: webAddress(profile.url) || null,
    displayName: line(profile.displayName, MAX.name),
    noteHtml: sanitiseRemote(cutBytes(profile.noteHtml, MAX.noteBytes)),
    fields: fieldsOf(profile.fields),
    avatarUrl,
    avatarStaticUrl: avatarUrl,
    headerUrl,
    headerStaticUrl: headerUrl,
    locked: profile.locked,
    bot: profile.bot,
    isGroup: profile.isGroup,
    discoverable: profile.discoverable ?? false,
    indexable: profile.indexable,
    hideCollections: profile.hideCollections ?? null,
    isMemorial: profile.isMemorial,
    emojis: emojisOf(profile.emojis),
    attributionDomains: domainsOf(profile.attributionDomains),
  }
  const createdAt = profile.createdAtMilliseconds
  const isPast = createdAt !== undefined && createdAt > 0 && createdAt <= now
  const aliases = [...new Set(profile.alsoKnownAs.slice(0, MAX_ALIASES).filter((uri) => uri.length <= MAX.address))]
  return { columns, counts: countsOf(profile), createdAt: new Date(isPast ? createdAt : now), aliases }
}
