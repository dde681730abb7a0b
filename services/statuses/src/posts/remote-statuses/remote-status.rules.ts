import { QuotePolicy, QuoteState, type RemoteAttachment, type RemotePoll, type RemoteStatus } from '@rookery/contracts/statuses'
import { idAtTime } from '@rookery/ids'
import { linksIn, normaliseTag, plainText, sanitiseRemote } from '@rookery/markup'
import { isShortcode } from '../../content/emojis/index.ts'
import { languageCode } from '../../content/text/index.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'
import type { StoredPoll } from '../../database/tables/poll.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { mayQuote, type QuotedRow } from '../statuses/index.ts'

type Quoting = Pick<RemoteStatus, 'authorId' | 'quoteAuthorizationUri' | 'needsQuoteApproval'>

/**
 * The state of a quote in a status of another server; undefined where it is not shown. The policy of the quoted status decides, unless its
 * author is on another server, who must approve the quote or did.
 */
export const remoteQuoteState = (status: Quoting, quoted: QuotedRow | null): QuoteState | undefined => {
  if (!quoted?.maySee || quoted.hasBlock) return undefined
  const isAllowed = mayQuote(quoted, status.authorId)
  if (quoted.isLocal || quoted.authorId === status.authorId) return isAllowed ? QuoteState.ACCEPTED : undefined
  if (status.quoteAuthorizationUri !== '') return QuoteState.ACCEPTED
  return isAllowed && !status.needsQuoteApproval ? QuoteState.ACCEPTED : QuoteState.PENDING
}

/** Who may quote a status of another server: no one where it does not say. */
export const remoteQuotePolicy = ({ quotePolicy }: Pick<RemoteStatus, 'quotePolicy'>): QuotePolicy =>
  quotePolicy === QuotePolicy.UNSPECIFIED ? QuotePolicy.NOBODY : quotePolicy

/** How much of what a server says of a status is kept. */
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
  /** Of favourites and boosts: added to those known here it is still a number of 32 bits. */
  count: 1_000_000_000,
} as const

const DAY = 86_400_000
/** How far back the id of what arrives by itself may lie: what is older appears where people still read. */
const OLDEST = 30 * DAY
const MAX_COUNT = 2_147_483_647

/** When a status was published, as far as that can be: not in the future; in milliseconds since 1970. */
export const publishedAt = (milliseconds: number, now: number): number => (milliseconds > 0 ? Math.min(milliseconds, now) : now)

/**
 * The id of a status of another server: that of its time, but not before the last 30 days unless it was asked for. `low` are the 16 low bits,
 * by which statuses of one moment differ.
 */
export const remoteId = (
  { publishedAtMilliseconds, isFetched }: Pick<RemoteStatus, 'publishedAtMilliseconds' | 'isFetched'>,
  now: number,
  low: number,
): string => {
  const published = publishedAt(publishedAtMilliseconds, now)
  return (BigInt(idAtTime(isFetched ? published : Math.max(published, now - OLDEST))) | BigInt(low)).toString()
}

/** An address of the web, no longer than is kept; empty for what is none. */
export const webAddress = (typed: string): string => {
  if (typed.length > REMOTE_LIMITS.address) return ''
  const url = URL.parse(typed)
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : ''
}

/** Whether what has this uri can be kept: it is of the server that its author is of, and no longer than an index takes. */
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
      description: attachment.description.slice(0, REMOTE_LIMITS.description),
      blurhash: /^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,100}$/.test(attachment.blurhash) ? attachment.blurhash : '',
      ...(focus ? { focus: { x: focus.x, y: focus.y } } : {}),
      ...(width > 0 && height > 0 ? { original: { width, height } } : {}),
      remote_url: url,
    },
  ]
}

/** The files of a status as it shows them. Those it showed before keep their ids. */
export const remoteAttachments = (
  attachments: readonly RemoteAttachment[],
  nextId: () => string,
  before: readonly StoredAttachment[] = [],
): StoredAttachment[] => {
  const known = new Map(before.map(({ id, remote_url }) => [remote_url, id]))
  return attachments.slice(0, REMOTE_LIMITS.attachments).flatMap((each) => copyOf(known.get(webAddress(each.url)) ?? nextId(), each))
}

const count = (votes: number) => Math.max(0, Math.min(MAX_COUNT, Math.trunc(votes)))

/** A poll as its server counts it; null for what asks nothing. How many voted is at least what the votes say where its server does not say it. */
export const remotePoll = (poll: RemotePoll | undefined): StoredPoll | null => {
  if (!poll || poll.options.length === 0) return null
  const options = poll.options.slice(0, REMOTE_LIMITS.options)
  const votes = options.map(({ votesCount }) => count(votesCount))
  const least = poll.isMultiple ? Math.max(...votes) : count(votes.reduce((sum, each) => sum + each, 0))
  return {
    expiresAt: poll.expiresAtMilliseconds ?? null,
    isMultiple: poll.isMultiple,
    hidesTotals: false,
    options: options.map(({ title }) => title.slice(0, REMOTE_LIMITS.option)),
    votes,
    voters: poll.votersCount === undefined ? least : count(poll.votersCount),
  }
}

/** Of values with the same name the first. */
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

/** The tags of a status of another server, each name once. */
export const remoteTags = (tags: readonly string[]) => {
  const named = tags.slice(0, REMOTE_LIMITS.tags).flatMap((display) => {
    const name = normaliseTag(display)
    return name === undefined ? [] : [[name, { name, display: display.replace(/^[#＃]/, '') }] as const]
  })
  return firstOf(named)
}

/**
 * The stored texts of a status of another server: sanitised HTML, plain text for searches and filters, and the links it shows; without tags
 * that staff exclude from new statuses.
 */
export const remoteWording = (status: RemoteStatus, unusableTags: readonly string[] = []) => {
  const content = sanitiseRemote(status.contentHtml)
  return {
    content,
    text: plainText(content),
    links: linksIn(content).join('\n'),
    spoilerText: status.spoilerText.slice(0, REMOTE_LIMITS.warning),
    sensitive: status.sensitive || status.spoilerText.trim() !== '',
    language: (status.language ? languageCode(status.language) : undefined) ?? null,
    tags: remoteTags(status.tags).filter(({ name }) => !unusableTags.includes(name)),
    emojis: remoteEmojis(status.emojis),
    poll: remotePoll(status.poll),
  }
}

/** What a status's server counts, null where it does not say. */
export const remoteCounts = ({ favouritesCount, reblogsCount }: Pick<RemoteStatus, 'favouritesCount' | 'reblogsCount'>) => {
  const counted = (count: number | undefined) => (count === undefined ? null : Math.min(count, REMOTE_LIMITS.count))
  return { favourites: counted(favouritesCount), reblogs: counted(reblogsCount) }
}
