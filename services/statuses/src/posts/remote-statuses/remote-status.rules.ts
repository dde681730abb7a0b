import { QuotePolicy, QuoteState, type RemoteAttachment, type RemotePoll, type RemoteStatus } from '@rookery/contracts/statuses'
import { idAtTime } from '@rookery/ids'
import { linksIn, normaliseTag, plainText, sanitiseRemote } from '@rookery/markup'
import { isShortcode } from '../../content/emojis/index.ts'
import { cut, languageCode } from '../../content/text/index.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { StoredPoll } from '../../database/tables/poll.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { mayQuote, type QuotedRow } from '../statuses/index.ts'

type Quoting = Pick<RemoteStatus, 'authorId' | 'quoteAuthorizationUri' | 'needsQuoteApproval'>

/**
 * The state of a quote in a remote status; undefined if it is not shown. The policy of a local quoted status decides; a quote of a remote status
 * is accepted with an approval, or if the policy requires none, and else pending.
 */
export const remoteQuoteState = (status: Quoting, quoted: QuotedRow | null): QuoteState | undefined => {
  if (!quoted?.maySee || quoted.hasBlock) return undefined
  const isAllowed = mayQuote(quoted, status.authorId)
  if (quoted.isLocal || quoted.authorId === status.authorId) return isAllowed ? QuoteState.ACCEPTED : undefined
  if (status.quoteAuthorizationUri !== '') return QuoteState.ACCEPTED
  return isAllowed && !status.needsQuoteApproval ? QuoteState.ACCEPTED : QuoteState.PENDING
}

/** The quote policy of a remote status; no one may quote it by default. */
export const remoteQuotePolicy = ({ quotePolicy }: Pick<RemoteStatus, 'quotePolicy'>): QuotePolicy =>
  quotePolicy === QuotePolicy.UNSPECIFIED ? QuotePolicy.NOBODY : quotePolicy

/** Limits on the stored content of a remote status: lengths in characters, and numbers of items. */
export const REMOTE_LIMITS = {
  warning: 2000,
  mentions: 100,
  tags: 64,
  attachments: 16,
  description: 10_000,
  emojis: 64,
  options: 32,
  option: 500,
  address: 2048,
  /** Favourites or boosts: low enough that the sum with those known here fits 32 bits. */
  count: 1_000_000_000,
} as const

const DAY = 86_400_000
/** The age limit for the ids of delivered statuses, in milliseconds: an older status gets a later place in timelines, where people see it. */
const OLDEST = 30 * DAY
const MAX_COUNT = 2_147_483_647

/** When a status was published, in milliseconds since 1970; now if that is unknown or in the future. */
export const publishedAt = (milliseconds: number, now: number): number => (milliseconds > 0 ? Math.min(milliseconds, now) : now)

/** When a received status was last edited, at the latest now; undefined if it was not edited since it was published. */
export const editedAt = (
  { publishedAtMilliseconds, editedAtMilliseconds }: Pick<RemoteStatus, 'publishedAtMilliseconds' | 'editedAtMilliseconds'>,
  now: number,
): Date | undefined => {
  const edited = Math.min(editedAtMilliseconds ?? 0, now)
  return edited > publishedAt(publishedAtMilliseconds, now) ? new Date(edited) : undefined
}

/**
 * Makes the id of a remote status from its time; a delivered status older than 30 days gets an id of 30 days ago. `low` are the 16 low bits, which
 * distinguish statuses of the same millisecond.
 */
export const remoteId = (
  { publishedAtMilliseconds, isFetched }: Pick<RemoteStatus, 'publishedAtMilliseconds' | 'isFetched'>,
  now: number,
  low: number,
): string => {
  const published = publishedAt(publishedAtMilliseconds, now)
  return (BigInt(idAtTime(isFetched ? published : Math.max(published, now - OLDEST))) | BigInt(low)).toString()
}

/** Normalises an http(s) URL; empty if it is malformed or too long. */
export const webAddress = (typed: string): string => {
  if (typed.length > REMOTE_LIMITS.address) return ''
  const url = URL.parse(typed)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : ''
}

/** Whether a uri has the same origin as its author's, and is short enough for the index. */
export const isOwnUri = (uri: string, authorUri: string): boolean => {
  const [own, author] = [URL.parse(uri), URL.parse(authorUri)]
  return uri.length <= REMOTE_LIMITS.address && own !== null && own.host !== '' && own.origin === author?.origin
}

const TYPES: ReadonlySet<string> = new Set(['image', 'gifv', 'video', 'audio'])

const copyOf = (id: string, attachment: RemoteAttachment): StoredAttachment[] => {
  const url = webAddress(attachment.url)
  if (!url) return []
  const { width, height, focus } = attachment
  return [
    {
      id,
      type: TYPES.has(attachment.type) ? attachment.type : 'unknown',
      url,
      preview_url: webAddress(attachment.previewUrl) || (attachment.type === 'image' ? url : ''),
      description: cut(attachment.description, REMOTE_LIMITS.description),
      blurhash: /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,100}$/.test(attachment.blurhash) ? attachment.blurhash : '',
      ...(focus ? { focus: { x: focus.x, y: focus.y } } : {}),
      ...(width > 0 && height > 0 ? { original: { width, height } } : {}),
      remote_url: url,
    },
  ]
}

/** The stored form of a remote status's files. Files it had before keep their ids. */
export const remoteAttachments = (
  attachments: readonly RemoteAttachment[],
  nextId: () => string,
  before: readonly StoredAttachment[] = [],
): StoredAttachment[] => {
  const known = new Map(before.map(({ id, remote_url }) => [remote_url, id]))
  return attachments.slice(0, REMOTE_LIMITS.attachments).flatMap((each) => copyOf(known.get(webAddress(each.url)) ?? nextId(), each))
}

const count = (votes: number) => Math.max(0, Math.min(MAX_COUNT, Math.trunc(votes)))

/** The stored form of a remote poll; null without options. If its server omits the number of voters, it is the least that the votes imply. */
export const remotePoll = (poll: RemotePoll | undefined): StoredPoll | null => {
  if (!poll || poll.options.length === 0) return null
  const options = poll.options.slice(0, REMOTE_LIMITS.options)
  const votes = options.map(({ votesCount }) => count(votesCount))
  const least = poll.isMultiple ? Math.max(...votes) : count(votes.reduce((sum, each) => sum + each, 0))
  return {
    expiresAt: poll.expiresAtMilliseconds ?? null,
    isMultiple: poll.isMultiple,
    hidesTotals: false,
    options: options.map(({ title }) => cut(title, REMOTE_LIMITS.option)),
    votes,
    voters: poll.votersCount === undefined ? least : count(poll.votersCount),
  }
}

/** Removes values with a repeated name; the first one stays. */
const firstOf = <Value>(named: readonly (readonly [string, Value])[]): Value[] => [...new Map(named.toReversed()).values()].reverse()

const remoteEmojis = (emojis: RemoteStatus['emojis']): StoredEmoji[] => {
  const shown = emojis.flatMap(({ shortcode, url, staticUrl }) => {
    const address = webAddress(url)
    return address && isShortcode(shortcode)
      ? [
          [
            shortcode,
            { shortcode, category: null, url: address, static_url: webAddress(staticUrl) || address, visible_in_picker: false },
          ] as const,
        ]
      : []
  })
  return firstOf(shown).slice(0, REMOTE_LIMITS.emojis)
}

/** The tags of a remote status, without duplicates. */
export const remoteTags = (tags: readonly string[]) => {
  const named = tags.slice(0, REMOTE_LIMITS.tags).flatMap((display) => {
    const name = normaliseTag(display)
    return name === undefined ? [] : [[name, { name, display: display.replace(/^[#＃]/, '') }] as const]
  })
  return firstOf(named)
}

/**
 * The stored wording of a remote status: sanitised HTML, plain text for searches and filters, links, emojis and poll, and its tags except those
 * that staff exclude from new statuses.
 */
export const remoteWording = (status: RemoteStatus, unusableTags: readonly string[] = []) => {
  const content = sanitiseRemote(status.contentHtml)
  return {
    content,
    text: plainText(content),
    links: linksIn(content).join('\n'),
    spoilerText: cut(status.spoilerText, REMOTE_LIMITS.warning),
    sensitive: status.sensitive || status.spoilerText.trim() !== '',
    language: (status.language ? languageCode(status.language) : undefined) ?? null,
    tags: remoteTags(status.tags).filter(({ name }) => !unusableTags.includes(name)),
    emojis: remoteEmojis(status.emojis),
    poll: remotePoll(status.poll),
  }
}

/** The counts of a status on its own server, null if absent; limited to `REMOTE_LIMITS.count`. */
export const remoteCounts = ({ favouritesCount, reblogsCount }: Pick<RemoteStatus, 'favouritesCount' | 'reblogsCount'>) => {
  const counted = (count: number | undefined) => (count === undefined ? null : Math.min(count, REMOTE_LIMITS.count))
  return { favourites: counted(favouritesCount), reblogs: counted(reblogsCount) }
}
