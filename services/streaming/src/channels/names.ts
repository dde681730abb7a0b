import { Failure } from '@rookery/failures'
import { soughtTag } from '@rookery/markup'

const PERSONAL = ['user', 'user:notification', 'user:markers', 'direct'] as const
const PUBLIC = ['public', 'public:media', 'public:local', 'public:local:media', 'public:remote', 'public:remote:media'] as const
const HASHTAG = ['hashtag', 'hashtag:local'] as const
const NAMES = [...PERSONAL, 'list', ...PUBLIC, ...HASHTAG] as const

/** The names of streams (spec, Stream categories), and one of our own: the person's read markers. */
export type ChannelName = (typeof NAMES)[number]

/** A requested stream. */
export type Channel = {
  readonly name: ChannelName
  /** The key of its messages; for a personal stream it includes the account id. */
  readonly key: string
  /** The `stream` of a WebSocket frame as JSON, with the parameter exactly as it was sent (beyond-the-spec 1.7). */
  readonly label: string
  /** The id of its list, which must belong to the person. */
  readonly listId?: string
}

/** The parameters of a request for a stream. */
export type ChannelRequest = { readonly stream: string | undefined; readonly tag: string | undefined; readonly list: string | undefined }

/** Whether a stream has this name. */
export const isChannelName = (text: string | undefined): text is ChannelName => (NAMES as readonly (string | undefined)[]).includes(text)
const isHashtag = (name: ChannelName): name is (typeof HASHTAG)[number] => (HASHTAG as readonly string[]).includes(name)

const isPersonalName = (name: ChannelName): name is (typeof PERSONAL)[number] => (PERSONAL as readonly string[]).includes(name)

/** Whether the stream carries events of one person, who is then registered in presence. */
export const isPersonal = ({ name }: Channel): boolean => name === 'list' || isPersonalName(name)

/** The key of a person's own stream. */
export const personalKey = (name: (typeof PERSONAL)[number], accountId: string): string => `${name}/${accountId}`

/** The key of events that every `user` stream carries in addition to its own. */
export const EVERYONE_KEY = 'user'

/** The keys whose messages a stream carries. */
export const keysOf = ({ name, key }: Channel): readonly string[] => (name === 'user' ? [key, EVERYONE_KEY] : [key])

/** The key of a list's stream. */
export const listKey = (listId: string): string => `list/${listId}`

/** The key of a tag's stream; the tag is normalised. */
export const hashtagKey = (name: (typeof HASHTAG)[number], tag: string): string => `${name}/${tag}`

/**
 * The stream of a request.
 * @throws Failure malformed, with the texts of beyond-the-spec 1.7
 */
export const channelOf = ({ stream, tag, list }: ChannelRequest, accountId: string): Channel => {
  if (!isChannelName(stream)) throw new Failure('malformed', 'Unknown stream type')
  if (isHashtag(stream)) {
    if (!tag) throw new Failure('malformed', 'Missing tag name parameter')
    // An invalid tag names a stream that never carries anything.
    return { name: stream, key: hashtagKey(stream, soughtTag(tag) ?? tag), label: JSON.stringify([stream, tag]) }
  }
  if (stream === 'list') {
    if (!list) throw new Failure('malformed', 'Missing list name parameter')
    return { name: stream, key: listKey(list), label: JSON.stringify([stream, list]), listId: list }
  }
  const key = isPersonalName(stream) ? personalKey(stream, accountId) : stream
  return { name: stream, key, label: JSON.stringify([stream]) }
}
