import {
  day,
  emptyList,
  flag,
  id,
  integer,
  listOf,
  midnight,
  moment,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  type Shape,
  text,
  url,
} from './shape.ts'

// Entities of the contract: each key and its type (spec, Resources; beyond-the-spec 1.1).

const emoji = object({ shortcode: text, url, static_url: url, visible_in_picker: flag }, { category: nullable(text) })

/** Keys of Account; some lists add to them. */
export const ACCOUNT = {
  id,
  username: text,
  acct: text,
  display_name: text,
  locked: flag,
  bot: flag,
  group: flag,
  discoverable: nullable(flag),
  indexable: flag,
  noindex: flag,
  created_at: midnight,
  note: text,
  url,
  uri: url,
  avatar: url,
  avatar_static: url,
  header: url,
  header_static: url,
  followers_count: integer,
  following_count: integer,
  statuses_count: integer,
  last_status_at: nullable(day),
  hide_collections: nullable(flag),
  emojis: listOf(emoji),
  roles: listOf(object({ id: text, name: text, color: text })),
  fields: listOf(object({ name: text, value: text, verified_at: nullable(text) })),
}
const MARKS = { suspended: oneOf(true), limited: oneOf(true) }
export const account = object(ACCOUNT, MARKS)

const { noindex: _noindex, roles: _roles, ...REMOTE_ACCOUNT } = ACCOUNT
/** An account of another server. */
export const remoteAccount = object(REMOTE_ACCOUNT, MARKS)

export const credentialAccount = object({
  ...ACCOUNT,
  source: object({
    privacy: oneOf('public', 'unlisted', 'private'),
    sensitive: flag,
    language: nullable(text),
    note: text,
    fields: listOf(object({ name: text, value: text, verified_at: nullable(text) })),
    follow_requests_count: integer,
    hide_collections: nullable(flag),
    discoverable: nullable(flag),
    indexable: flag,
    attribution_domains: listOf(text),
    quote_policy: oneOf('public', 'followers', 'nobody'),
  }),
  role: object({ id: text, name: text, permissions: text, color: text, highlighted: flag }),
})

const size = object({ width: integer, height: integer, size: text, aspect: number })
export const mediaAttachment = object({
  id,
  type: oneOf('image', 'gifv', 'video', 'audio', 'unknown'),
  url: nullable(url),
  preview_url: nullable(url),
  remote_url: nullable(url),
  preview_remote_url: nullable(url),
  text_url: nullable(url),
  meta: object({}, { focus: object({ x: number, y: number }), original: size, small: size }),
  description: nullable(text),
  blurhash: nullable(text),
})

const poll = object(
  {
    id,
    expires_at: nullable(moment),
    expired: flag,
    multiple: flag,
    votes_count: integer,
    voters_count: nullable(integer),
    options: listOf(object({ title: text, votes_count: nullable(integer) })),
    emojis: listOf(emoji),
  },
  { voted: flag, own_votes: listOf(integer) },
)

const CARD = {
  url,
  title: text,
  description: text,
  language: nullable(text),
  type: oneOf('link', 'photo', 'video', 'rich'),
  author_name: text,
  author_url: text,
  provider_name: text,
  provider_url: text,
  html: text,
  width: integer,
  height: integer,
  image: nullable(url),
  image_description: text,
  embed_url: text,
  blurhash: nullable(text),
  published_at: nullable(moment),
  authors: listOf(object({ name: text, url: text, account: nullable(account) })),
}
const card = object(CARD)

const context = listOf(oneOf('home', 'notifications', 'public', 'thread', 'account'))
const FILTER = { id, title: text, context, expires_at: nullable(moment), filter_action: oneOf('warn', 'hide', 'blur') }
export const filterKeyword = object({ id, keyword: text, whole_word: flag })
export const filterStatus = object({ id, status_id: id })
export const filter = object({ ...FILTER, keywords: listOf(filterKeyword), statuses: listOf(filterStatus) })
export const filterV1 = object({ id, phrase: text, context, whole_word: flag, expires_at: nullable(moment), irreversible: flag })

const filterResult = object({
  filter: object(FILTER),
  keyword_matches: nullable(listOf(text)),
  status_matches: nullable(listOf(id)),
})

/** Keys of Status for readers without a token. */
export const STATUS = {
  id,
  created_at: moment,
  in_reply_to_id: nullable(id),
  in_reply_to_account_id: nullable(id),
  sensitive: flag,
  spoiler_text: text,
  visibility: oneOf('public', 'unlisted', 'private', 'direct'),
  language: nullable(text),
  uri: url,
  url,
  replies_count: integer,
  reblogs_count: integer,
  favourites_count: integer,
  quotes_count: integer,
  edited_at: nullable(moment),
  content: text,
  reblog: nothing as Shape,
  application: nullable(object({ name: text, website: nullable(url) })),
  account,
  media_attachments: listOf(mediaAttachment),
  mentions: listOf(object({ id, username: text, url, acct: text })),
  tags: listOf(object({ name: text, url })),
  emojis: listOf(emoji),
  card: nullable(card),
  poll: nullable(poll),
  quote: nothing as Shape,
  quote_approval: object({
    automatic: listOf(oneOf('public', 'followers')),
    manual: emptyList,
    current_user: oneOf('automatic', 'denied'),
  }),
}
/** Additional keys for readers with a token. */
export const FLAGS = { favourited: flag, reblogged: flag, muted: flag, bookmarked: flag, filtered: listOf(filterResult) }

export const anonymousStatus = object(STATUS)
export const status = object({ ...STATUS, ...FLAGS })
export const ownStatus = object({ ...STATUS, ...FLAGS, pinned: flag })
export const boostOf = (reblog: Shape): Shape => object({ ...STATUS, ...FLAGS, reblog })
export const anonymousBoost = object({ ...STATUS, reblog: anonymousStatus })

export const relationship = object({
  id,
  following: flag,
  showing_reblogs: flag,
  notifying: flag,
  languages: nullable(listOf(text)),
  followed_by: flag,
  blocking: flag,
  blocked_by: flag,
  muting: flag,
  muting_notifications: flag,
  requested: flag,
  requested_by: flag,
  domain_blocking: flag,
  endorsed: flag,
  note: text,
})

export const list = object({ id, title: text, replies_policy: oneOf('followed', 'list', 'none'), exclusive: flag })

const history = listOf(object({ day: text, uses: text, accounts: text }))
const TAG = { id, name: text, url, history }
export const trendingLink = object({ ...CARD, history })
export const tag = object(TAG)
/** For a signed-in viewer. */
export const viewedTag = object({ ...TAG, following: flag, featuring: flag })
export const announcement = object({
  id,
  content: text,
  starts_at: nullable(moment),
  ends_at: nullable(moment),
  all_day: flag,
  published_at: moment,
  updated_at: moment,
  read: flag,
  mentions: listOf(object({ id, username: text, url, acct: text })),
  statuses: listOf(object({ id, url })),
  tags: listOf(object({ name: text, url })),
  emojis: listOf(emoji),
  reactions: listOf(object({ name: text, count: integer, me: flag }, { url, static_url: url })),
})

export const featuredTag = object({ id, name: text, url, statuses_count: integer, last_status_at: nullable(day) })

export const marker = object({ last_read_id: id, version: integer, updated_at: moment })

export const notification = object(
  { id, type: text, created_at: moment, group_key: text, account },
  { status: object({ ...STATUS, ...FLAGS }, { pinned: flag }) },
)

const APPLICATION = {
  id,
  name: text,
  website: nullable(url),
  scopes: listOf(text),
  redirect_uris: listOf(text),
  redirect_uri: text,
  vapid_key: text,
}
export const application = object(APPLICATION)
export const credentialApplication = object({
  ...APPLICATION,
  client_id: text,
  client_secret: text,
  client_secret_expires_at: oneOf(0),
})
export const token = object({ access_token: text, token_type: oneOf('Bearer'), scope: text, created_at: integer })
