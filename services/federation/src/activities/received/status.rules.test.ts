import { QuotePolicy, Visibility } from '@rookery/contracts/statuses'
import { expectLessProcessorTime } from '@rookery/test-cost'
import { describe, expect, test } from 'vitest'
import { mastodonNote, peertubeVideo } from '../../../tests/shapes/objects.ts'
import type { RemoteActor } from '../../contract.ts'
import { PUBLIC, readObject } from '../../vocabulary/index.ts'
import { mentionedUris } from './mentions.ts'
import { authorOf, isBy, isVote, publishedAt, quotePolicyOf, statusOf } from './status.rules.ts'

const ANN = 'https://mastodon.example/users/ann'
const MARA = 'https://here.example/users/mara'
const note = readObject(mastodonNote)!
const author = { accountId: '7', uri: ANN, followersUri: `${ANN}/followers` } as RemoteActor
const NOW = Date.parse('2024-05-01T10:30:00Z')
const RESOLVED = { inReplyToId: '', mentionedAccountIds: ['1'], quotedStatusId: '', quoteAuthorizationUri: '', isFetched: false, now: NOW }

describe('an object is taken as an actor’s', () => {
  test.each([
    ['of its author on its own server', note, ANN, true],
    ['not of another person', note, 'https://mastodon.example/users/ben', false],
    ['not of someone on another server', { ...note, authors: ['https://evil.example/users/e'] }, 'https://evil.example/users/e', false],
    ['not when its id is on another server', { ...note, uri: 'https://evil.example/1' }, ANN, false],
    ['of one of several authors', readObject(peertubeVideo)!, 'https://peertube.example/video-channels/birds', true],
  ])('%s', (_what, object, actor, expected) => expect(isBy(object, actor)).toBe(expected))

  test('the first author on its own server stands for it', () => {
    expect(authorOf({ ...note, authors: ['https://evil.example/users/e', ANN] })).toBe(ANN)
    expect(authorOf({ ...note, authors: ['https://evil.example/users/e'] })).toBeUndefined()
  })
})

describe('a vote', () => {
  const vote = readObject({ ...mastodonNote, content: undefined, contentMap: undefined, name: 'tea' })!
  test.each([
    ['is a name without a text that answers something', vote, true],
    ['is none with a text', { ...vote, hasContent: true }, false],
    ['is none without a name', { ...vote, name: '' }, false],
    ['is none without what it answers', { ...vote, inReplyTo: '' }, false],
  ])('%s', (_what, object, expected) => expect(isVote(object)).toBe(expected))
})

test.each([
  ['when it says so', Date.parse('2024-05-01T10:00:00Z'), Date.parse('2024-05-01T10:00:00Z')],
  ['now when it comes from the future', NOW + 1, NOW],
  ['now when it does not say', undefined, NOW],
])('an object was published %s', (_when, said, expected) => expect(publishedAt({ ...note, publishedAt: said }, NOW)).toBe(expected))

test.each([
  ['a paragraph of Mastodon', '<p class="quote-inline">RE: <a href="https://x.example/1">x</a></p><p>see</p>', '<p>see</p>'],
  ['a piece of Misskey', '<p>see<span class="quote-inline"><br><br>RE: <a href="https://x.example/1">x</a></span></p>', '<p>see</p>'],
  ['a piece in other letters', '<p>see<SPAN class="quote-inline">RE: x</SPAN></p>', '<p>see</p>'],
  ['no piece at all', '<p>see</p>', '<p>see</p>'],
  ['letters that are longer in lower case', '<p class="quote-inline">RE: İİİ</P><p>see</p>', '<p>see</p>'],
])('the text names what is quoted no more where the quote is shown: %s', (_whose, contentHtml, shown) => {
  const quoting = { ...note, contentHtml }
  expect(statusOf(quoting, author, { ...RESOLVED, quotedStatusId: '5' }).contentHtml).toBe(shown)
  expect(statusOf(quoting, author, RESOLVED).contentHtml).toBe(contentHtml)
})

test.each([
  ['of 5000 characters is left out', 5000, ''],
  ['that is longer stays', 5001, undefined],
])('the text names what is quoted no more: a paragraph %s', (_which, length, shown) => {
  const contentHtml = `<p class="quote-inline">${'a'.repeat(length - '</p>'.length)}</p>`
  expect(statusOf({ ...note, contentHtml }, author, { ...RESOLVED, quotedStatusId: '5' }).contentHtml).toBe(shown ?? contentHtml)
})

test('text with thousands of beginnings of a quote is looked through once', async () => {
  const contentHtml = '<p class="quote-inline">'.repeat(40_000)
  // A search for an end tag from each opening tag would take several seconds.
  await expectLessProcessorTime(2000, () =>
    expect(statusOf({ ...note, contentHtml }, author, { ...RESOLVED, quotedStatusId: '5' }).contentHtml).toBe(contentHtml),
  )
})

test.each([
  ['by the default of its server, where it does not say', undefined, author.followersUri, QuotePolicy.UNSPECIFIED],
  ['by no one', [], author.followersUri, QuotePolicy.NOBODY],
  ['by everyone', [author.followersUri, PUBLIC], author.followersUri, QuotePolicy.PUBLIC],
  ['by followers', [author.followersUri], author.followersUri, QuotePolicy.FOLLOWERS],
  ['by no one, where only named people may', [MARA], author.followersUri, QuotePolicy.NOBODY],
  ['by no one, where an empty name meets an author without followers', [''], '', QuotePolicy.NOBODY],
])('an object may be quoted %s', (_whom, quoters, followersUri, expected) => expect(quotePolicyOf(quoters, followersUri)).toBe(expected))

test('an object without an edit becomes a status without one, with its files, tags and emojis', () => {
  const file = { type: 'image', url: 'https://x.example/1', previewUrl: '', description: '', blurhash: '', width: 0, height: 0 }
  const emoji = { shortcode: 'tea', url: 'https://x.example/2', staticUrl: '', category: '', visibleInPicker: false }
  const parts = { attachments: [file], tags: ['tea'], emojis: [emoji] }
  expect(statusOf({ ...note, ...parts, editedAt: undefined }, author, RESOLVED)).toMatchObject({
    ...parts,
    editedAtMilliseconds: undefined,
  })
})

test('an object becomes a status of its author', () => {
  expect(statusOf(note, author, RESOLVED)).toMatchObject({
    uri: mastodonNote.id,
    authorId: '7',
    visibility: Visibility.PUBLIC,
    mentionedAccountIds: ['1'],
    isReplyToUnknown: true,
    inReplyToId: '',
    // The edit time was in the future.
    editedAtMilliseconds: NOW,
  })
  expect(statusOf(note, author, { ...RESOLVED, inReplyToId: '5' }).isReplyToUnknown).toBe(false)
})

test.each([
  ['tags', note, [MARA]],
  ['tags alone, though others are recipients', { ...note, recipients: { to: [MARA, 'https://here.example/users/joel'], cc: [] } }, [MARA]],
  ['the recipients of a direct object without tags', { ...note, mentions: [], recipients: { to: [MARA], cc: [] } }, [MARA]],
  ['no recipients of a public object', { ...note, mentions: [] }, []],
])('an object mentions %s', (_whom, object, expected) => expect(mentionedUris(object, author.followersUri)).toEqual(expected))
