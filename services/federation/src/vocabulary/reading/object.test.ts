import { Visibility } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import * as shapes from '../../../tests/shapes/objects.ts'
import { visibilityOf } from './audience.ts'
import { readObject } from './object.ts'

const ANN = 'https://mastodon.example/users/ann'
const FOLLOWERS = `${ANN}/followers`

describe('an object of another server is read', () => {
  test('of Mastodon, whole', () => {
    const note = readObject(shapes.mastodonNote)!
    expect(note).toMatchObject({
      uri: 'https://mastodon.example/users/ann/statuses/1',
      type: 'Note',
      url: 'https://mastodon.example/@ann/1',
      authors: [ANN],
      contentHtml: shapes.mastodonNote.content,
      spoilerText: 'birds',
      sensitive: true,
      language: 'de',
      inReplyTo: 'https://other.example/notes/7',
      publishedAt: Date.parse('2024-05-01T10:00:00Z'),
      editedAt: Date.parse('2024-05-01T11:00:00Z'),
      mentions: [{ uri: 'https://here.example/users/mara', name: '@mara@here.example' }],
      tags: ['Birds'],
      emojis: [{ shortcode: 'tea' }],
      poll: undefined,
      quotedUri: '',
      quoteAuthorizationUri: '',
      needsQuoteApproval: false,
      quoters: undefined,
      repliesUri: 'https://mastodon.example/users/ann/statuses/1/replies',
    })
    expect(note.attachments).toEqual([
      {
        type: 'image',
        url: 'https://files.mastodon.example/1.jpg',
        previewUrl: '',
        description: 'a robin',
        blurhash: 'UBL_:rOpGG-;~qRjj[WB',
        focus: { x: -0.5, y: 0.25 },
        width: 800,
        height: 600,
      },
    ])
  })

  test.each([
    ['as Mastodon says them', { likes: { id: `${ANN}/1/likes`, type: 'Collection', totalItems: 3 }, shares: { totalItems: 0 } }, [3, 0]],
    ['nowhere', {}, [undefined, undefined]],
    ['by an address alone', { likes: `${ANN}/1/likes`, shares: [] }, [undefined, undefined]],
    ['as nonsense', { likes: { totalItems: -1 }, shares: { totalItems: '7' } }, [undefined, undefined]],
  ])('with how often it was liked and shared: %s', (_how, said, counts) => {
    const { likes, shares } = readObject({ ...shapes.mastodonNote, likes: undefined, shares: undefined, ...said })!
    expect([likes, shares]).toEqual(counts)
  })

  test.each([
    ['at a time', { closed: '2024-05-01T12:00:00Z' }, '2024-05-01T12:00:00Z'],
    ['when it was last changed, before its time', { closed: true, updated: '2024-05-01T15:00:00Z' }, '2024-05-01T15:00:00Z'],
    ['at its time, noted later', { closed: true, updated: '2024-05-03T10:00:00Z' }, '2024-05-02T10:00:00Z'],
    ['not yet', { closed: false }, '2024-05-02T10:00:00Z'],
  ])('a poll that was closed %s', (_when, said, end) =>
    expect(readObject({ ...shapes.mastodonQuestion, ...said })?.poll?.expiresAtMilliseconds).toBe(Date.parse(end)),
  )

  test('whose times say no offset, which are UTC wherever this server is', () => {
    const zone = process.env['TZ']
    process.env['TZ'] = 'Asia/Tokyo'
    try {
      expect(readObject({ ...shapes.mastodonNote, published: '2024-05-01T10:00:00.123456' })?.publishedAt).toBe(
        Date.parse('2024-05-01T10:00:00.123Z'),
      )
      expect(readObject({ ...shapes.mastodonNote, published: '2024-05-01T10:00:00+02:00' })?.publishedAt).toBe(
        Date.parse('2024-05-01T08:00:00Z'),
      )
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })

  test.each([
    ['null', null],
    ['an empty list', []],
  ])('a poll with several answers whose other list is %s', (_what, oneOf) => {
    const { oneOf: anyOf, ...question } = shapes.mastodonQuestion
    expect(readObject({ ...question, anyOf, oneOf })?.poll).toMatchObject({
      isMultiple: true,
      options: [{ title: 'yes' }, { title: 'no' }],
    })
  })

  test('an event online, with where that is', () => {
    const event = { ...shapes.mobilizonEvent, location: { type: 'VirtualLocation', url: 'https://meet.example/walk' } }
    expect(readObject(event)?.contentHtml).toContain('<p>2024-06-01 06:00 UTC<br>https://meet.example/walk</p>')
  })

  test('of Mastodon with a poll', () => {
    expect(readObject(shapes.mastodonQuestion)?.poll).toEqual({
      options: [
        { title: 'yes', votesCount: 3 },
        { title: 'no', votesCount: 1 },
      ],
      isMultiple: false,
      expiresAtMilliseconds: Date.parse('2024-05-02T10:00:00Z'),
      votersCount: 4,
    })
  })

  const QUOTED = 'https://mastodon.example/users/ann/statuses/1'
  test.each([
    [
      'GoToSocial, with single values for arrays',
      shapes.gotosocialNote,
      { language: 'en', mentions: [{ uri: 'https://here.example/users/mara' }], attachments: [{ description: 'a wren' }] },
    ],
    [
      'Akkoma, with a quote and a film',
      shapes.akkomaNote,
      { quotedUri: QUOTED, attachments: [{ type: 'video', url: 'https://akkoma.example/media/1.mp4', width: 640, description: 'a film' }] },
    ],
    ['Misskey, with a quote', shapes.misskeyNote, { quotedUri: QUOTED, spoilerText: '', inReplyTo: '' }],
    [
      'Misskey, with a quote among the tags alone',
      { ...shapes.misskeyNote, _misskey_quote: undefined, quoteUrl: undefined },
      { quotedUri: QUOTED },
    ],
    [
      'Pixelfed, with pictures',
      shapes.pixelfedNote,
      { attachments: [{ type: 'image', description: '', width: 1000 }, { description: 'a lake' }] },
    ],
    ['snac', shapes.snacNote, { contentHtml: '<p>plain</p>', attachments: [], tags: [] }],
    ['Lemmy, as a private message', shapes.lemmyPrivateMessage, { contentHtml: '<p>hello</p>' }],
    [
      'WriteFreely, with its title',
      shapes.writefreelyArticle,
      {
        contentHtml:
          '<p><strong>On birds</strong></p><p>They sing.</p><p><a href="https://write.example/gil-writes/on-birds">https://write.example/gil-writes/on-birds</a></p>',
        tags: ['birds'],
      },
    ],
    [
      'Ghost, with a picture that is an address alone',
      shapes.ghostArticle,
      { attachments: [{ type: 'image', url: 'https://ghost.example/content/images/lake.jpg' }] },
    ],
    [
      'lotide and Friendica, with the page of another server that it leads to',
      shapes.lotidePage,
      {
        url: '',
        contentHtml:
          '<p><strong>Snowflakes</strong></p><p><a href="https://news.example/snowflakes">https://news.example/snowflakes</a></p><p><a href="https://lotide.example/posts/60">https://lotide.example/posts/60</a></p>',
      },
    ],
    [
      'Lemmy, with a picture that is linked, which is shown alone',
      shapes.lemmyPicturePage,
      {
        contentHtml: '<p><strong>A picture post</strong></p><p><a href="https://lemmy.example/post/7">https://lemmy.example/post/7</a></p>',
        attachments: [{ type: 'image', url: 'https://pictures.example/pic.png' }],
      },
    ],
    [
      'Lemmy, with its title escaped, its link and its picture',
      shapes.lemmyPage,
      {
        contentHtml:
          '<p><strong>What &lt;bird&gt; is this?</strong></p><p>Seen today</p><p><a href="https://news.example/birds">https://news.example/birds</a></p><p><a href="https://lemmy.example/post/1">https://lemmy.example/post/1</a></p>',
        attachments: [{ type: 'image', url: 'https://lemmy.example/pictrs/1.png' }],
      },
    ],
    [
      'PeerTube, with the largest film up to 1080 lines and both authors',
      shapes.peertubeVideo,
      {
        url: 'https://peertube.example/w/uuid',
        language: 'fr',
        authors: ['https://peertube.example/accounts/eva', 'https://peertube.example/video-channels/birds'],
        contentHtml:
          '<p><strong>A robin sings</strong></p><p>Listen.</p><p>It is **early**.</p><p><a href="https://peertube.example/w/uuid">https://peertube.example/w/uuid</a></p>',
        attachments: [
          {
            type: 'video',
            url: 'https://peertube.example/720.mp4',
            previewUrl: 'https://peertube.example/lazy-static/1.jpg',
            width: 1280,
            height: 720,
          },
        ],
      },
    ],
    [
      'Mobilizon, with when and where',
      shapes.mobilizonEvent,
      {
        contentHtml:
          '<p><strong>Bird walk</strong></p><p>2024-06-01 06:00 UTC<br>The lake</p><p>Bring boots</p><p><a href="https://mobilizon.example/events/1">https://mobilizon.example/events/1</a></p>',
      },
    ],
    [
      'Misskey, with a quote named in its text',
      shapes.misskeyQuote,
      { quotedUri: QUOTED, needsQuoteApproval: false, contentHtml: shapes.misskeyQuote.content },
    ],
    [
      'Mastodon 4.5, with an approved quote',
      shapes.mastodonQuote,
      {
        quotedUri: 'https://other.example/notes/7',
        quoteAuthorizationUri: 'https://other.example/approvals/7',
        needsQuoteApproval: true,
        quoters: [FOLLOWERS],
      },
    ],
    [
      'WordPress, with its body and picture once and without its excerpt',
      shapes.wordpressArticle,
      {
        url: 'https://blog.example/a-day-at-the-lake/',
        spoilerText: '',
        language: 'de',
        contentHtml: `<p><strong>A day at the lake</strong></p>${shapes.wordpressArticle.content}<p><a href="https://blog.example/a-day-at-the-lake/">https://blog.example/a-day-at-the-lake/</a></p>`,
        attachments: [{ type: 'image', url: 'https://blog.example/lake.jpg', description: 'the lake' }],
        tags: ['lake'],
      },
    ],
    [
      'BookWyrm, a review with its stars and the cover',
      shapes.bookwyrmReview,
      {
        spoilerText: '',
        contentHtml:
          '<p><strong>Complete</strong></p><p>★★★★☆</p><p>Every bird is there.</p><p><a href="https://bookwyrm.example/user/jo/review/9">https://bookwyrm.example/user/jo/review/9</a></p>',
        attachments: [{ type: 'image', description: 'Birds of Europe' }],
      },
    ],
    [
      'BookWyrm, a passage and what is said of it',
      shapes.bookwyrmQuotation,
      { quotedUri: '', contentHtml: '<p>A robin is never late.</p><p>True.</p>' },
    ],
    [
      'Friendica, with the title of a note, and without the page among its files',
      shapes.friendicaNote,
      {
        contentHtml: '<p><strong>Swifts</strong></p><p>They are <b>back</b>.</p>',
        attachments: [{ type: 'image', url: 'https://friendica.example/photo/1.png' }],
      },
    ],
    ['Hubzilla, with its page', shapes.hubzillaNote, { url: 'https://hubzilla.example/channel/lea/?mid=7', contentHtml: '<p>hello</p>' }],
  ])('of %s', (_server, document, expected) => expect(readObject(document)).toMatchObject(expected))

  test.each([
    ['is what it says, where it says nothing else', { name: 'tea' }, '<p>tea</p>'],
    ['is left out where the text begins with it', { name: 'tea', content: '<h1>tea</h1><p>is ready</p>' }, '<h1>tea</h1><p>is ready</p>'],
    ['is escaped', { name: '<b>', content: '<p>x</p>' }, '<p><strong>&lt;b&gt;</strong></p><p>x</p>'],
  ])('the title of a note %s', (_what, said, contentHtml) => {
    const note = { ...shapes.mastodonNote, content: undefined, contentMap: undefined, ...said }
    expect(readObject(note)?.contentHtml).toBe(contentHtml)
  })
})

describe('visibility', () => {
  const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
  const MARA = 'https://here.example/users/mara'
  test.each([
    ['to everyone is public', { to: [PUBLIC], cc: [FOLLOWERS] }, Visibility.PUBLIC],
    ['to everyone by the short name is public', { to: 'as:Public' }, Visibility.PUBLIC],
    ['to everyone by the bare name is public', { to: ['Public'] }, Visibility.PUBLIC],
    ['copied to everyone is unlisted', { to: [FOLLOWERS], cc: PUBLIC }, Visibility.UNLISTED],
    ['to followers is private', { to: FOLLOWERS, cc: [MARA] }, Visibility.PRIVATE],
    ['copied to followers is private', { to: [MARA], cc: [FOLLOWERS] }, Visibility.PRIVATE],
    ['to followers of another is direct', { to: ['https://mastodon.example/users/other/followers'] }, Visibility.DIRECT],
    ['to a person is direct', { to: [MARA] }, Visibility.DIRECT],
    ['to no one is direct', {}, Visibility.DIRECT],
    ['to recipients as objects', { to: [{ type: 'Person', id: MARA }], cc: [{ id: FOLLOWERS }] }, Visibility.PRIVATE],
  ])('%s', (_what, recipients, expected) => {
    const note = readObject({ ...shapes.mastodonNote, to: undefined, cc: undefined, ...recipients })!
    expect(visibilityOf(note.recipients, FOLLOWERS)).toBe(expected)
  })

  test('is that of the activity where the object has no recipients', () => {
    const around = { recipients: { to: [PUBLIC], cc: [] }, actor: ANN }
    const note = readObject({ ...shapes.mastodonNote, to: undefined, cc: undefined }, around)!
    expect(visibilityOf(note.recipients, FOLLOWERS)).toBe(Visibility.PUBLIC)
  })
})

describe('an object is none', () => {
  const note = shapes.mastodonNote
  test.each([
    ['of another type', { ...note, type: 'Person' }],
    ['without an author', { ...note, attributedTo: undefined }],
    ['with an author that is no address', { ...note, attributedTo: 'ann' }],
    ['without an id', { ...note, id: undefined }],
    ['with an id that is a script', { ...note, id: 'javascript:alert(1)' }],
    ['with an id that is an array', { ...note, id: ['https://mastodon.example/1'] }],
  ])('%s', (_why, document) => expect(readObject(document)).toBeUndefined())
})

describe('an object that says too much is cut', () => {
  const many = (length: number, item: (index: number) => unknown) => Array.from({ length }, (_, index) => item(index))
  const note = shapes.mastodonNote
  test.each([
    [
      'a million recipients',
      { cc: many(1_000_000, (index) => `https://x.example/${index}`) },
      ({ recipients }: Read) => recipients.cc.length,
      1000,
    ],
    ['a thousand tags', { tag: many(1000, (index) => ({ type: 'Hashtag', name: `#t${index}x` })) }, ({ tags }: Read) => tags.length, 64],
    [
      'a thousand mentions',
      { tag: many(1000, (index) => ({ type: 'Mention', href: `https://x.example/${index}` })) },
      ({ mentions }: Read) => mentions.length,
      100,
    ],
    [
      'a thousand files',
      { attachment: many(1000, (index) => ({ type: 'Image', url: `https://x.example/${index}.png` })) },
      ({ attachments }: Read) => attachments.length,
      16,
    ],
    [
      'a thousand emojis',
      { tag: many(1000, (index) => ({ type: 'Emoji', name: `:e${index}:`, icon: { url: 'https://x.example/e.png' } })) },
      ({ emojis }: Read) => emojis.length,
      100,
    ],
    ['a text of a megabyte', { content: 'a'.repeat(1_000_000) }, ({ contentHtml }: Read) => contentHtml.length, 100_000],
    ['a warning of a megabyte', { summary: 'a'.repeat(1_000_000) }, ({ spoilerText }: Read) => spoilerText.length, 5000],
  ])('%s', (_what, said, count, expected) => expect(count(readObject({ ...note, ...said })!)).toBe(expected))
  type Read = NonNullable<ReturnType<typeof readObject>>

  test('and a poll of a thousand options', () => {
    const oneOf = many(1000, (index) => ({ type: 'Note', name: `option ${index}` }))
    expect(readObject({ ...shapes.mastodonQuestion, oneOf })?.poll?.options).toHaveLength(32)
  })
})

describe('odd values are left out', () => {
  const note = shapes.mastodonNote
  test.each([
    [
      'a focus outside of the picture',
      { attachment: [{ ...note.attachment[0], focalPoint: [7, 'x'] }] },
      { attachments: [{ focus: undefined }] },
    ],
    ['a blurhash that is HTML', { attachment: [{ ...note.attachment[0], blurhash: '<script>' }] }, { attachments: [{ blurhash: '' }] }],
    [
      'a size that is no number',
      { attachment: [{ ...note.attachment[0], width: -1, height: 1e99 }] },
      { attachments: [{ width: 0, height: 0 }] },
    ],
    ['a file without an address', { attachment: [{ type: 'Document', mediaType: 'image/png' }] }, { attachments: [] }],
    ['a file that is a script', { attachment: [{ type: 'Document', url: 'javascript:alert(1)' }] }, { attachments: [] }],
    [
      'a tag that is no word',
      {
        tag: [
          { type: 'Hashtag', name: '#' },
          { type: 'Hashtag', name: '# a b' },
        ],
      },
      { tags: [] },
    ],
    [
      'an emoji with HTML for a name',
      { tag: [{ type: 'Emoji', name: ':<b>:', icon: { url: 'https://x.example/e.png' } }] },
      { emojis: [] },
    ],
    ['a time that is none', { published: 'yesterday', updated: 'tomorrow' }, { publishedAt: undefined, editedAt: undefined }],
    ['an update before the publication', { updated: '2024-04-01T00:00:00Z' }, { editedAt: undefined }],
    ['a warning with tags', { summary: '<p>birds &amp; tea</p>' }, { spoilerText: 'birds & tea' }],
    ['a warning in blocks', { summary: '<h1>birds</h1><h2>tea</h2>' }, { spoilerText: 'birds\ntea' }],
    ['a warning with a script', { summary: '<script>alert(1)</script><p>tea</p>' }, { spoilerText: 'tea' }],
    ['a warning that is a picture', { summary: '<img src="https://x.example/tea.png" alt="tea">' }, { spoilerText: 'tea' }],
    ['a time in a list', { published: ['2024-05-01T10:00:00Z'] }, { publishedAt: Date.parse('2024-05-01T10:00:00Z') }],
    ['a time with a Z too many', { published: '2024-05-01T10:00:00.5+00:00Z' }, { publishedAt: Date.parse('2024-05-01T10:00:00.500Z') }],
    [
      'a link to what it answers',
      { inReplyTo: { type: 'Link', href: 'https://other.example/notes/7' } },
      { inReplyTo: 'https://other.example/notes/7' },
    ],
    [
      'a file that is sensitive, of a status that is not',
      { sensitive: false, attachment: [{ ...note.attachment[0], sensitive: true }] },
      { sensitive: true },
    ],
    [
      'a file that only its name tells of',
      { attachment: { url: 'https://mastodon.example/1.png' } },
      { attachments: [{ type: 'image', url: 'https://mastodon.example/1.png' }] },
    ],
    ['what is attached without a type, and is no file', { attachment: { url: 'https://mastodon.example/' } }, { attachments: [] }],
    ['a language that is none', { contentMap: { und: note.content } }, { language: undefined }],
    ['a language with a region', { contentMap: { 'pt-BR': note.content } }, { language: 'pt' }],
    ['Chinese as it is written in a region', { contentMap: { 'zh-TW': note.content } }, { language: 'zh-TW' }],
    ['no language with a region', { contentMap: { 'und-Latn': note.content } }, { language: undefined }],
    ['a page of another host', { url: 'https://evil.example/' }, { url: '' }],
    ['a flag as text', { sensitive: 'true' }, { sensitive: true }],
    ['a flag of other text', { sensitive: 'false' }, { sensitive: false }],
    [
      'a file without a type of its own',
      { attachment: { mediaType: 'image/png', url: 'https://mastodon.example/1.png' } },
      { attachments: [{ type: 'image', url: 'https://mastodon.example/1.png' }] },
    ],
  ])('%s', (_what, said, expected) => expect(readObject({ ...note, ...said })).toMatchObject(expected))
})
