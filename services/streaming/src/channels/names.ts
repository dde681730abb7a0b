import { Failure } from '@rookery/failures'
import { normaliseTag } from '@rookery/markup'

const PERSONAL = ['user', 'user:notification', 'user:markers', 'direct'] as const
const PUBLIC = ['public', 'public:media', 'public:local', 'public:local:media', 'public:remote', 'public:remote:media'] as const
const HASHTAG = ['hashtag', 'hashtag:local'] as const
const NAMES = [...PERSONAL, 'list', ...PUBLIC, ...HASHTAG] as const

/** The streams there are (spec, Stream categories), and one of our own: how far a person has read. */
export type ChannelName = (typeof NAMES)[number]

/** A stream someone asked for. */
export type Channel = {
  readonly name: ChannelName
  /** What messages for it are filed under; for a person's own streams the person's id is part of it. */
  readonly key: string
  /** The `stream` of a WebSocket frame as JSON, with the parameter exactly as it was given (beyond-the-spec 1.7). */
  readonly label: string
  /** The list it shows, which must be the person's own. */
  readonly listId?: string
}

/** What a client says to name a stream. */
export type ChannelRequest = { readonly stream: string | undefined; readonly tag: string | undefined; readonly list: string | undefined }

const isName = (text: string | undefined): text is ChannelName => (NAMES as readonly (string | undefined)[]).includes(text)
const isHashtag = (name: ChannelName): name is (typeof HASHTAG)[number] => (HASHTAG as readonly string[]).includes(name)

const isPersonalName = (name: ChannelName): name is (typeof PERSONAL)[number] => (PERSONAL as readonly string[]).includes(name)

/** Whether the stream carries what concerns one person: presence counts those. */
export const isPersonal = ({ name }: Channel): boolean => name === 'list' || isPersonalName(name)

/** The key of a person's own stream. */
export const personalKey = (name: (typeof PERSONAL)[number], accountId: string): string => `${name}/${accountId}`

/** The key of what every person's `user` stream carries beside its own. */
export const EVERYONE_KEY = 'user'

/** What messages for a stream are filed under. */
export const keysOf = ({ name, key }: Channel): readonly string[] => (name === 'user' ? [key, EVERYONE_KEY] : [key])

/** The key of a list's stream. */
export const listKey = (listId: string): string => `list/${listId}`

/** The key of a tag's stream; the tag is normalised. */
export const hashtagKey = (name: (typeof HASHTAG)[number], tag: string): string => `${name}/${tag}`

/**
 * The stream a person asks for.
 * @throws Failure malformed, with the texts of beyond-the-spec 1.7
 */
export const channelOf = ({ stream, tag, list }: ChannelRequest, accountId: string): Channel => {
  if (!isName(stream)) throw new Failure('malformed', 'Unknown channel requested')
  if (isHashtag(stream)) {
    if (!tag) throw new Failure('malformed', 'Missing tag name parameter')
    // A text that is no tag names a stream nothing is ever filed under.
    return { name: stream, key: hashtagKey(stream, normaliseTag(tag) ?? tag), label: JSON.stringify([stream, tag]) }
  }
  if (stream === 'list') {
    if (!list) throw new Failure('malformed', 'Missing list name parameter')
    return { name: stream, key: listKey(list), label: JSON.stringify([stream, list]), listId: list }
  }
  const key = isPersonalName(stream) ? personalKey(stream, accountId) : stream
  return { name: stream, key, label: JSON.stringify([stream]) }
}
