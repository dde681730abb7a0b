/** Objects as other servers write them: shapes made by us from their documentation. */

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

export const mastodonNote = {
  id: 'https://mastodon.example/users/ann/statuses/1',
  type: 'Note',
  summary: 'birds',
  inReplyTo: 'https://other.example/notes/7',
  published: '2024-05-01T10:00:00Z',
  updated: '2024-05-01T11:00:00Z',
  url: 'https://mastodon.example/@ann/1',
  attributedTo: 'https://mastodon.example/users/ann',
  to: [PUBLIC],
  cc: ['https://mastodon.example/users/ann/followers', 'https://here.example/users/mara'],
  sensitive: true,
  atomUri: 'https://mastodon.example/users/ann/statuses/1',
  conversation: 'tag:mastodon.example,2024-05-01:objectId=1:objectType=Conversation',
  content: '<p>Hallo <a href="https://here.example/@mara">@mara</a></p>',
  contentMap: { de: '<p>Hallo <a href="https://here.example/@mara">@mara</a></p>' },
  attachment: [
    {
      type: 'Document',
      mediaType: 'image/jpeg',
      url: 'https://files.mastodon.example/1.jpg',
      name: 'a robin',
      blurhash: 'UBL_:rOpGG-;~qRjj[WB',
      focalPoint: [-0.5, 0.25],
      width: 800,
      height: 600,
    },
  ],
  tag: [
    { type: 'Mention', href: 'https://here.example/users/mara', name: '@mara@here.example' },
    { type: 'Hashtag', href: 'https://mastodon.example/tags/birds', name: '#Birds' },
    {
      id: 'https://mastodon.example/emojis/1',
      type: 'Emoji',
      name: ':tea:',
      icon: { type: 'Image', url: 'https://files.mastodon.example/tea.png' },
    },
  ],
  replies: {
    id: 'https://mastodon.example/users/ann/statuses/1/replies',
    type: 'Collection',
    first: { type: 'CollectionPage', next: 'https://mastodon.example/users/ann/statuses/1/replies?page=true', items: [] },
  },
  likes: { id: 'https://mastodon.example/users/ann/statuses/1/likes', type: 'Collection', totalItems: 3 },
}

export const mastodonQuestion = {
  id: 'https://mastodon.example/users/ann/statuses/2',
  type: 'Question',
  attributedTo: 'https://mastodon.example/users/ann',
  to: ['https://mastodon.example/users/ann/followers'],
  cc: [PUBLIC],
  content: '<p>Tea?</p>',
  published: '2024-05-01T10:00:00Z',
  endTime: '2024-05-02T10:00:00Z',
  votersCount: 4,
  oneOf: [
    { type: 'Note', name: 'yes', replies: { type: 'Collection', totalItems: 3 } },
    { type: 'Note', name: 'no', replies: { type: 'Collection', totalItems: 1 } },
  ],
}

export const gotosocialNote = {
  id: 'https://gts.example/users/ben/statuses/01HX',
  type: 'Note',
  attributedTo: 'https://gts.example/users/ben',
  to: 'https://gts.example/users/ben/followers',
  cc: [],
  content: '<p>only followers</p>',
  contentMap: { en: '<p>only followers</p>' },
  attachment: {
    type: 'Document',
    mediaType: 'image/png',
    url: 'https://gts.example/fileserver/1.png',
    name: 'a wren',
    blurhash: 'LEHV6nWB2yk8',
  },
  tag: { type: 'Mention', href: 'https://here.example/users/mara', name: '@mara@here.example' },
  published: '2024-05-01T10:00:00Z',
  sensitive: false,
  url: 'https://gts.example/@ben/statuses/01HX',
  interactionPolicy: { canReply: { always: [PUBLIC] } },
}

export const akkomaNote = {
  id: 'https://akkoma.example/objects/3f',
  type: 'Note',
  actor: 'https://akkoma.example/users/cem',
  attributedTo: 'https://akkoma.example/users/cem',
  to: ['https://here.example/users/mara'],
  cc: [],
  content: 'a secret',
  source: { content: 'a secret', mediaType: 'text/markdown' },
  summary: '',
  tag: [{ type: 'Mention', href: 'https://here.example/users/mara', name: '@mara' }],
  quoteUri: 'https://mastodon.example/users/ann/statuses/1',
  attachment: [
    {
      type: 'Document',
      mediaType: 'video/mp4',
      name: 'a film',
      url: [{ type: 'Link', mediaType: 'video/mp4', href: 'https://akkoma.example/media/1.mp4', width: 640, height: 480 }],
    },
  ],
  published: '2024-05-01T10:00:00.000000Z',
}

export const misskeyNote = {
  id: 'https://misskey.example/notes/9def',
  type: 'Note',
  attributedTo: 'https://misskey.example/users/9abc',
  summary: null,
  content: '<p><span>nyan</span><br>RE: <a href="https://mastodon.example/users/ann/statuses/1">…</a></p>',
  _misskey_content: 'nyan',
  source: { content: 'nyan', mediaType: 'text/x.misskeymarkdown' },
  _misskey_quote: 'https://mastodon.example/users/ann/statuses/1',
  quoteUrl: 'https://mastodon.example/users/ann/statuses/1',
  published: '2024-05-01T10:00:00.123Z',
  to: ['as:Public'],
  cc: ['https://misskey.example/users/9abc/followers'],
  inReplyTo: null,
  attachment: [],
  sensitive: false,
  tag: [
    {
      type: 'Link',
      mediaType: 'application/activity+json',
      rel: 'https://misskey-hub.net/ns#_misskey_quote',
      href: 'https://mastodon.example/users/ann/statuses/1',
    },
  ],
}

export const peertubeVideo = {
  type: 'Video',
  id: 'https://peertube.example/videos/watch/uuid',
  name: 'A robin sings',
  duration: 'PT60S',
  uuid: 'uuid',
  category: { identifier: '15', name: 'Animals' },
  language: { identifier: 'fr', name: 'French' },
  sensitive: false,
  published: '2024-05-01T10:00:00.000Z',
  mediaType: 'text/markdown',
  content: 'Listen.\n\nIt is **early**.',
  icon: [{ type: 'Image', url: 'https://peertube.example/lazy-static/1.jpg', mediaType: 'image/jpeg', width: 280, height: 157 }],
  url: [
    { type: 'Link', mediaType: 'text/html', href: 'https://peertube.example/w/uuid' },
    {
      type: 'Link',
      mediaType: 'application/x-mpegURL',
      href: 'https://peertube.example/streaming/master.m3u8',
      tag: [
        { type: 'Link', mediaType: 'video/mp4', href: 'https://peertube.example/2160.mp4', height: 2160, width: 3840 },
        { type: 'Link', mediaType: 'video/mp4', href: 'https://peertube.example/720.mp4', height: 720, width: 1280 },
      ],
    },
  ],
  to: [PUBLIC],
  cc: ['https://peertube.example/accounts/eva/followers'],
  attributedTo: [
    { type: 'Person', id: 'https://peertube.example/accounts/eva' },
    { type: 'Group', id: 'https://peertube.example/video-channels/birds' },
  ],
  tag: [{ type: 'Hashtag', name: 'birds' }],
}

export const lemmyPage = {
  id: 'https://lemmy.example/post/1',
  type: 'Page',
  attributedTo: 'https://lemmy.example/u/ida',
  to: ['https://lemmy.example/c/birds', PUBLIC],
  cc: [],
  name: 'What <bird> is this?',
  content: '<p>Seen today</p>',
  mediaType: 'text/html',
  source: { content: 'Seen today', mediaType: 'text/markdown' },
  attachment: [{ type: 'Link', href: 'https://news.example/birds' }],
  image: { type: 'Image', url: 'https://lemmy.example/pictrs/1.png' },
  sensitive: false,
  commentsEnabled: true,
  published: '2024-05-01T10:00:00Z',
  audience: 'https://lemmy.example/c/birds',
}

/** As 0.17 sends the link to a picture. */
export const lemmyPicturePage = {
  type: 'Page',
  id: 'https://lemmy.example/post/7',
  attributedTo: 'https://lemmy.example/u/lea',
  to: ['https://lemmy.example/c/birds', PUBLIC],
  name: 'A picture post',
  cc: [],
  mediaType: 'text/html',
  attachment: [{ href: 'https://pictures.example/pic.png', type: 'Link' }],
  commentsEnabled: true,
  sensitive: false,
  stickied: false,
  published: '2026-11-27T13:00:07.210674+00:00',
  audience: 'https://lemmy.example/c/birds',
}

export const lemmyPrivateMessage = {
  id: 'https://lemmy.example/private_message/1',
  type: 'ChatMessage',
  attributedTo: 'https://lemmy.example/u/ida',
  to: ['https://here.example/users/mara'],
  content: '<p>hello</p>',
  mediaType: 'text/html',
  published: '2024-05-01T10:00:00Z',
}

export const pixelfedNote = {
  id: 'https://pixelfed.example/p/fay/1',
  type: 'Note',
  summary: null,
  content: 'light',
  inReplyTo: null,
  published: '2024-05-01T10:00:00+00:00',
  url: 'https://pixelfed.example/p/fay/1',
  attributedTo: 'https://pixelfed.example/users/fay',
  to: [PUBLIC],
  cc: ['https://pixelfed.example/users/fay/followers'],
  sensitive: false,
  attachment: [
    { type: 'Image', mediaType: 'image/jpeg', url: 'https://pixelfed.example/storage/1.jpg', name: null, width: 1000, height: 1000 },
    { type: 'Image', mediaType: 'image/jpeg', url: 'https://pixelfed.example/storage/2.jpg', name: 'a lake' },
  ],
  tag: [],
  commentsEnabled: true,
  location: null,
}

export const writefreelyArticle = {
  id: 'https://write.example/api/posts/abc',
  type: 'Article',
  published: '2024-05-01T10:00:00Z',
  url: 'https://write.example/gil-writes/on-birds',
  attributedTo: 'https://write.example/api/collections/gil-writes',
  to: [PUBLIC],
  cc: ['https://write.example/api/collections/gil-writes/followers'],
  name: 'On birds',
  content: '<p>They sing.</p>',
  contentMap: { en: '<p>They sing.</p>' },
  tag: [{ type: 'Hashtag', name: '#birds', href: 'https://write.example/tag:birds' }],
}

export const mobilizonEvent = {
  id: 'https://mobilizon.example/events/1',
  type: 'Event',
  name: 'Bird walk',
  content: '<p>Bring boots</p>',
  startTime: '2024-06-01T06:00:00Z',
  endTime: '2024-06-01T08:00:00Z',
  location: { type: 'Place', name: 'The lake', address: { addressLocality: 'Bern' } },
  attributedTo: 'https://mobilizon.example/@walks',
  actor: 'https://mobilizon.example/@walks',
  to: [PUBLIC],
  cc: [],
  published: '2024-05-01T10:00:00Z',
  url: 'https://mobilizon.example/events/1',
  attachment: [{ type: 'Document', mediaType: 'image/png', name: 'Banner', url: 'https://mobilizon.example/banner.png' }],
}

export const snacNote = {
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: 'http://localhost:8001/hal/p/1714557600.1',
  type: 'Note',
  published: '2024-05-01T10:00:00Z',
  attributedTo: 'http://localhost:8001/hal',
  summary: '',
  content: '<p>plain</p>',
  context: 'http://localhost:8001/hal#ctxt',
  url: 'http://localhost:8001/hal/p/1714557600.1',
  to: [PUBLIC],
  cc: [],
  inReplyTo: null,
  tag: [],
  attachment: [],
  sensitive: false,
}

export const misskeyQuote = {
  ...misskeyNote,
  id: 'https://misskey.example/notes/9xyz',
  content:
    '<p><span>nyan</span><span class="quote-inline"><br><br>RE: <a href="https://mastodon.example/users/ann/statuses/1">https://mastodon.example/users/ann/statuses/1</a></span></p>',
  quoteUri: 'https://mastodon.example/users/ann/statuses/1',
  _misskey_summary: null,
}

export const mastodonQuote = {
  ...mastodonNote,
  id: 'https://mastodon.example/users/ann/statuses/3',
  summary: null,
  sensitive: false,
  inReplyTo: null,
  quote: 'https://other.example/notes/7',
  _misskey_quote: 'https://other.example/notes/7',
  quoteUri: 'https://other.example/notes/7',
  quoteAuthorization: 'https://other.example/approvals/7',
  interactionPolicy: { canQuote: { automaticApproval: ['https://mastodon.example/users/ann/followers'], manualApproval: [] } },
  content: '<p class="quote-inline">RE: <a href="https://other.example/notes/7">other.example/notes/7</a></p><p>look</p>',
  contentMap: undefined,
}

/** Of the WordPress plug-in: the excerpt is the summary, with the body beside it, and its pictures are attached. */
export const wordpressArticle = {
  '@context': ['https://www.w3.org/ns/activitystreams', { Hashtag: 'as:Hashtag', sensitive: 'as:sensitive' }],
  id: 'https://blog.example/?p=12',
  type: 'Article',
  attributedTo: 'https://blog.example/?author=1',
  name: 'A day at the lake',
  nameMap: { 'de-DE': 'A day at the lake' },
  summary: '<p>It rained [&hellip;]</p>',
  summaryMap: { 'de-DE': '<p>It rained [&hellip;]</p>' },
  content: '<h2>Morning</h2><p>It rained.</p><figure><img src="https://blog.example/lake.jpg" alt="the lake"></figure>',
  contentMap: { 'de-DE': '<h2>Morning</h2><p>It rained.</p><figure><img src="https://blog.example/lake.jpg" alt="the lake"></figure>' },
  mediaType: 'text/html',
  preview: { type: 'Note', content: '<p>It rained</p>' },
  attachment: [{ type: 'Image', url: 'https://blog.example/lake.jpg', mediaType: 'image/jpeg', name: 'the lake' }],
  image: { type: 'Image', url: 'https://blog.example/lake.jpg' },
  tag: [{ type: 'Hashtag', href: 'https://blog.example/tag/lake/', name: '#lake' }],
  replies: { id: 'https://blog.example/wp-json/activitypub/1.0/posts/12/replies', type: 'Collection' },
  published: '2024-05-01T10:00:00Z',
  url: 'https://blog.example/a-day-at-the-lake/',
  to: [PUBLIC, 'https://blog.example/wp-json/activitypub/1.0/actors/1/followers'],
  cc: [],
  sensitive: false,
  interactionPolicy: { canQuote: { automaticApproval: PUBLIC, always: PUBLIC } },
}

export const bookwyrmReview = {
  id: 'https://bookwyrm.example/user/jo/review/9',
  type: 'Review',
  published: '2024-05-01T10:00:00.000000+00:00',
  attributedTo: 'https://bookwyrm.example/user/jo',
  to: [PUBLIC],
  cc: ['https://bookwyrm.example/user/jo/followers'],
  content: '<p>Every bird is there.</p>',
  name: 'Complete',
  rating: 4.0,
  inReplyToBook: 'https://bookwyrm.example/book/1',
  replies: { id: 'https://bookwyrm.example/user/jo/review/9/replies', type: 'OrderedCollection', totalItems: 0 },
  tag: [],
  attachment: [{ type: 'Document', url: 'https://bookwyrm.example/images/covers/1.jpg', name: 'Birds of Europe' }],
  sensitive: false,
}

export const bookwyrmQuotation = {
  ...bookwyrmReview,
  id: 'https://bookwyrm.example/user/jo/quotation/3',
  type: 'Quotation',
  name: undefined,
  rating: undefined,
  quote: '<p>A robin is never late.</p>',
  content: '<p>True.</p>',
}

/** Of Friendica: a title, the conversation by two names, and a page that is linked to among the files. */
export const friendicaNote = {
  id: 'https://friendica.example/objects/1a',
  'diaspora:guid': '1a',
  type: 'Note',
  inReplyTo: null,
  conversation: 'https://friendica.example/objects/1a#context',
  context: 'https://friendica.example/objects/1a#context',
  published: '2024-05-01T10:00:00Z',
  url: 'https://friendica.example/display/1a',
  attributedTo: 'https://friendica.example/profile/kai',
  sensitive: false,
  name: 'Swifts',
  content: '<p>They are <b>back</b>.</p>',
  source: { content: 'They are [b]back[/b].', mediaType: 'text/bbcode' },
  attachment: [
    { type: 'Page', mediaType: 'text/html;charset=utf-8', name: 'Swifts', url: 'https://news.example/swifts' },
    { type: 'Document', mediaType: 'image/png', url: 'https://friendica.example/photo/1.png', name: null },
  ],
  tag: [{ type: 'Hashtag', href: 'https://friendica.example/search?tag=swifts', name: '#swifts' }],
  to: [PUBLIC],
  cc: ['https://friendica.example/followers/kai'],
}

/** Of Hubzilla: the address of the page is a link among several. */
export const hubzillaNote = {
  type: 'Note',
  id: 'https://hubzilla.example/item/7',
  name: '',
  conversation: 'https://hubzilla.example/conversation/7',
  context: 'https://hubzilla.example/conversation/7',
  inheritPrivacy: true,
  commentPolicy: 'authenticated',
  published: '2024-05-01T10:00:00Z',
  url: [
    { type: 'Link', rel: 'alternate', mediaType: 'text/html', href: 'https://hubzilla.example/channel/lea/?mid=7' },
    { type: 'Link', mediaType: 'application/activity+json', href: 'https://hubzilla.example/item/7' },
  ],
  attributedTo: 'https://hubzilla.example/channel/lea',
  content: '<p>hello</p>',
  contentMap: { en: '<p>hello</p>' },
  to: [PUBLIC],
  cc: ['https://hubzilla.example/followers/lea'],
  tag: [{ type: 'Mention', href: 'https://here.example/users/mara', name: '@mara@here.example' }],
}

export const ghostArticle = {
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: 'https://ghost.example/.ghost/activitypub/article/1',
  type: 'Article',
  attributedTo: 'https://ghost.example/.ghost/activitypub/users/index',
  to: 'as:Public',
  cc: 'https://ghost.example/.ghost/activitypub/followers/index',
  name: 'On lakes',
  content: '<p>They are deep.</p>',
  image: 'https://ghost.example/content/images/lake.jpg',
  preview: { type: 'Note', id: 'https://ghost.example/.ghost/activitypub/note/1', content: 'Deep' },
  published: '2025-01-12T10:30:00Z',
  url: 'https://ghost.example/on-lakes/',
}

export const lotidePage = {
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: 'https://lotide.example/posts/60',
  type: 'Page',
  attributedTo: 'https://lotide.example/users/1',
  to: 'https://lotide.example/communities/1',
  cc: 'https://www.w3.org/ns/activitystreams#Public',
  name: 'Snowflakes',
  published: '2020-12-19T19:20:26.941381+00:00',
  url: 'https://news.example/snowflakes',
}
