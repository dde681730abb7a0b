import { QuotePolicy, QuoteState, type RemoteStatus, Visibility } from '@rookery/contracts/statuses'
import { timeOfId } from '@rookery/ids'
import { describe, expect, test } from 'vitest'
import {
  editedAt,
  isOwnUri,
  publishedAt,
  REMOTE_LIMITS,
  remoteAttachments,
  remoteCounts,
  remoteId,
  remotePoll,
  remoteQuotePolicy,
  remoteQuoteState,
  remoteWording,
  webAddress,
} from './remote-status.rules.ts'

const NOW = Date.parse('2026-05-01T12:00:00.000Z')
const DAY = 86_400_000
const STATUS: RemoteStatus = {
  ...{ uri: 'https://far.example/1', url: '', authorId: '1', visibility: Visibility.PUBLIC, contentHtml: '<p>tea</p>', spoilerText: '' },
  ...{ sensitive: false, inReplyToId: '', publishedAtMilliseconds: NOW, attachments: [], mentionedAccountIds: [], tags: [], emojis: [] },
  ...{
    isReplyToUnknown: false,
    inReplyToUri: '',
    quotedStatusId: '',
    isFetched: false,
    quotePolicy: QuotePolicy.UNSPECIFIED,
    quoteAuthorizationUri: '',
    needsQuoteApproval: false,
  },
}

test.each([
  ['as its server says', NOW - DAY, NOW - DAY],
  ['now when that is in the future', NOW + DAY, NOW],
  ['now when its server does not say', 0, NOW],
  ['now when its server says nonsense', -DAY, NOW],
])('a status was published %s', (_when, said, moment) => expect(publishedAt(said, NOW)).toBe(moment))

test.each([
  ['when its server says so', NOW - 2 * DAY, NOW - DAY, new Date(NOW - DAY)],
  ['never when its server does not say so', NOW - DAY, undefined, undefined],
  ['never when that is not after it was published', NOW - DAY, NOW - DAY, undefined],
  ['now when that is in the future', NOW - DAY, NOW + DAY, new Date(NOW)],
  ['never when it was published in the future too', NOW + DAY, NOW + 2 * DAY, undefined],
])('a status was edited %s', (_when, publishedAtMilliseconds, editedAtMilliseconds, moment) =>
  expect(editedAt({ publishedAtMilliseconds, editedAtMilliseconds }, NOW)).toEqual(moment),
)

describe('the id of a status of another server', () => {
  test.each([
    ['is of its time', NOW - DAY, false, NOW - DAY],
    ['is of 30 days ago when it is older', NOW - 31 * DAY, false, NOW - 30 * DAY],
    ['is of its time when someone asked for it, however old', NOW - 4000 * DAY, true, NOW - 4000 * DAY],
    ['is of now when it is of the future', NOW + DAY, false, NOW],
  ])('%s', (_what, publishedAtMilliseconds, isFetched, moment) => {
    const id = remoteId({ publishedAtMilliseconds, isFetched }, NOW, 0xffff)
    expect(timeOfId(id)).toBe(moment)
    expect(BigInt(id) & 0xffffn).toBe(0xffffn)
  })
})

test.each([
  ['https://far.example/a b', 'https://far.example/a%20b'],
  ['http://far.example/', 'http://far.example/'],
  ['javascript:alert(1)', ''],
  ['data:image/png;base64,AAAA', ''],
  ['/a', ''],
  ['', ''],
  ['https://far.example/'.padEnd(REMOTE_LIMITS.address, 'a'), 'https://far.example/'.padEnd(REMOTE_LIMITS.address, 'a')],
  ['https://far.example/'.padEnd(REMOTE_LIMITS.address + 1, 'a'), ''],
])('%s is the address of the web %s', (typed, address) => expect(webAddress(typed)).toBe(address))

test.each([
  ['https://far.example/users/ann/statuses/1', true],
  ['https://far.example:444/users/ann/statuses/1', false],
  ['http://far.example/users/ann/statuses/1', false],
  ['https://near.far.example/users/ann/statuses/1', false],
  ['urn:uuid:1', false],
  ['', false],
  ['https://far.example/'.padEnd(REMOTE_LIMITS.address, 'a'), true],
  ['https://far.example/'.padEnd(REMOTE_LIMITS.address + 1, 'a'), false],
])('%s is of the server of https://far.example/users/ann: %s', (uri, expected) =>
  expect(isOwnUri(uri, 'https://far.example/users/ann')).toBe(expected),
)

describe('files', () => {
  const file = { type: 'image', url: 'https://far.example/a.png', previewUrl: '', description: '', blurhash: '', width: 0, height: 0 }

  test('are unknown when their type is, and left out without an address', () => {
    const kept = remoteAttachments(
      [
        { ...file, type: 'application/pdf' },
        { ...file, url: 'ftp://far.example/a' },
      ],
      () => '5',
    )
    expect(kept).toEqual([
      { id: '5', type: 'unknown', url: file.url, preview_url: '', description: '', blurhash: '', remote_url: file.url },
    ])
  })

  const keptOf = (more: object) => remoteAttachments([{ ...file, ...more }], () => '5')[0]

  test.each(['image', 'gifv', 'video', 'audio'])('keep their type %s', (type) => expect(keptOf({ type })?.type).toBe(type))

  const previewUrl = 'https://far.example/s.png'
  const blurhash = 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'
  test.each([
    ['an image is its own preview', {}, { preview_url: file.url }],
    ['a video has none of its own', { type: 'video' }, { preview_url: '' }],
    ['a preview that its server names is kept', { type: 'video', previewUrl }, { preview_url: previewUrl }],
    ['a preview with no address of the web is none', { type: 'video', previewUrl: 'data:,' }, { preview_url: '' }],
    ['a blurhash is kept', { blurhash }, { blurhash }],
    ['a blurhash with more before it is none', { blurhash: `<${blurhash}` }, { blurhash: '' }],
    ['a blurhash with more behind it is none', { blurhash: `${blurhash}<` }, { blurhash: '' }],
    ['a size is kept', { width: 1, height: 2 }, { original: { width: 1, height: 2 } }],
    ['half a size is none', { width: 1 }, { original: undefined }],
    ['the other half is none either', { height: 1 }, { original: undefined }],
    ['a focus is kept', { focus: { x: 0.5, y: -1 } }, { focus: { x: 0.5, y: -1 } }],
  ])('%s', (_what, more, expected) => expect({ focus: undefined, original: undefined, ...keptOf(more) }).toMatchObject(expected))

  test('keep the ids that they had', () => {
    const other = { ...file, url: 'https://far.example/b.png' }
    const before = remoteAttachments([file], () => '5')
    expect(remoteAttachments([other, file], () => '6', before).map(({ id }) => id)).toEqual(['6', '5'])
  })

  test('are sixteen at most', () => expect(remoteAttachments(Array(17).fill(file), () => '5')).toHaveLength(16))

  test('have no blurhash that is none, and descriptions of a bounded length', () => {
    const [kept] = remoteAttachments([{ ...file, blurhash: '<script>', description: 'a'.repeat(20_000) }], () => '5')
    expect(kept).toMatchObject({ blurhash: '', description: 'a'.repeat(REMOTE_LIMITS.description) })
  })
})

describe('a poll', () => {
  const poll = {
    options: [
      { title: 'tea', votesCount: 2 },
      { title: 'coffee', votesCount: -3 },
    ],
    isMultiple: false,
  }

  test('counts no less than nothing', () => expect(remotePoll(poll)).toMatchObject({ votes: [2, 0], voters: 2, expiresAt: null }))
  test('that asks nothing is none', () => expect(remotePoll({ ...poll, options: [] })).toBeNull())
  test('of several choices has at least as many voters as its first option has votes', () =>
    expect(remotePoll({ ...poll, isMultiple: true, options: [...poll.options, { title: 'water', votesCount: 7 }] })?.voters).toBe(7))
  test.each([
    ['the number that its server says', { votersCount: 9 }, 9],
    ['no fewer than none', { votersCount: -9 }, 0],
    ['one for each vote of a single choice', {}, 5],
    ['as many as its best option has votes, of several choices', { isMultiple: true }, 3],
  ])('has voters: %s', (_how, more, voters) => {
    const options = [3, 2].map((votesCount) => ({ title: 'tea', votesCount }))
    expect(remotePoll({ ...poll, options, ...more })).toMatchObject({ voters, hidesTotals: false })
  })
  test('has options of a bounded number and length', () => {
    const options = Array.from({ length: 1000 }, () => ({ title: 'a'.repeat(5000), votesCount: Number.MAX_SAFE_INTEGER }))
    const kept = remotePoll({ ...poll, options })
    expect(kept?.options).toEqual(Array(REMOTE_LIMITS.options).fill('a'.repeat(REMOTE_LIMITS.option)))
    expect(Math.max(...(kept?.votes ?? []), kept?.voters ?? 0)).toBe(2_147_483_647)
  })
})

describe('what a status says', () => {
  test('is its sanitised text, read as plain text', () =>
    expect(remoteWording({ ...STATUS, contentHtml: '<p>tea &amp; <b>time</b></p><script>x</script>' })).toMatchObject({
      content: '<p>tea &amp; <b>time</b></p>',
      text: 'tea & time',
    }))
  test.each([
    ['when it has a warning', { spoilerText: 'tea' }, true],
    ['when its server says so', { sensitive: true }, true],
    ['not by a warning of space alone', { spoilerText: ' \n' }, false],
  ])('is sensitive %s', (_when, more, expected) => expect(remoteWording({ ...STATUS, ...more }).sensitive).toBe(expected))
  test('has a warning of a bounded length, which ends in no half of an emoji', () => {
    const longest = 'a'.repeat(REMOTE_LIMITS.warning)
    expect(remoteWording({ ...STATUS, spoilerText: `${longest}b` }).spoilerText).toBe(longest)
    expect(remoteWording({ ...STATUS, spoilerText: `${longest.slice(1)}🐦` }).spoilerText.isWellFormed()).toBe(true)
  })
  test('names each of its links on a line', () => {
    const contentHtml = '<a href="https://a.example/">a</a> <a href="https://b.example/">b</a>'
    expect(remoteWording({ ...STATUS, contentHtml }).links).toBe('https://a.example/\nhttps://b.example/')
  })
  test('has no tag that staff exclude, and a bounded number', () => {
    const tags = Array.from({ length: 70 }, (_, index) => `t${index}`)
    expect(remoteWording({ ...STATUS, tags }, ['t0']).tags.map(({ name }) => name)).toEqual(tags.slice(1, REMOTE_LIMITS.tags))
  })
  test('has a bounded number of emojis', () => {
    const emojis = Array.from({ length: 70 }, (_, index) => ({
      shortcode: `e${index}`,
      url: 'https://far.example/e.png',
      staticUrl: '',
      visibleInPicker: true,
      category: '',
    }))
    expect(remoteWording({ ...STATUS, emojis }).emojis).toHaveLength(REMOTE_LIMITS.emojis)
  })
  test('is in a language that is one', () => {
    expect(remoteWording({ ...STATUS, language: 'de-at' }).language).toBe('de-AT')
    expect(remoteWording({ ...STATUS, language: 'gibberish' }).language).toBeNull()
  })
  test('has each tag once, as first spelt', () =>
    expect(remoteWording({ ...STATUS, tags: ['#TeaTime', 'teatime', '', 'not a tag'] }).tags).toEqual([
      { name: 'teatime', display: 'TeaTime' },
    ]))
  test('has each emoji once, with an address of the web', () => {
    const emoji = { shortcode: 'cup', url: 'https://far.example/cup.png', staticUrl: '', visibleInPicker: true, category: 'x' }
    const emojis = [
      emoji,
      { ...emoji, url: 'https://far.example/2.png' },
      { ...emoji, shortcode: 'x y' },
      { ...emoji, shortcode: 'pot', url: 'data:,' },
    ]
    expect(remoteWording({ ...STATUS, emojis }).emojis).toEqual([
      {
        shortcode: 'cup',
        category: null,
        url: 'https://far.example/cup.png',
        static_url: 'https://far.example/cup.png',
        visible_in_picker: false,
      },
    ])
  })
})

describe('a quote by a status of another server is', () => {
  const quoted = {
    ...{
      id: '9',
      authorId: '2',
      visibility: Visibility.PUBLIC,
      quotePolicy: QuotePolicy.PUBLIC,
      isLocal: true,
      maySee: true,
      hasBlock: false,
    },
    ...{ isFollowed: false, followedSince: null, followsAuthor: false, mayNotify: true },
  }
  const elsewhere = { ...quoted, isLocal: false }
  const closed = { quotePolicy: QuotePolicy.NOBODY }
  const asking = { ...STATUS, needsQuoteApproval: true }
  const approved = { ...asking, quoteAuthorizationUri: 'https://far.example/approvals/1' }
  const { ACCEPTED, PENDING } = QuoteState
  test.each([
    ['accepted of a status here that everyone may quote', STATUS, quoted, ACCEPTED],
    ['nothing of a status here that no one may quote', STATUS, { ...quoted, ...closed }, undefined],
    ['nothing of a status here that no one may quote, whatever approves it', approved, { ...quoted, ...closed }, undefined],
    ['nothing across a block', STATUS, { ...quoted, hasBlock: true }, undefined],
    ['nothing of what its author may not see', approved, { ...elsewhere, maySee: false }, undefined],
    ['accepted of their own status', asking, { ...elsewhere, ...closed, authorId: '1' }, ACCEPTED],
    ['accepted with what approves it', approved, { ...elsewhere, ...closed }, ACCEPTED],
    ['waiting where approval is asked for', asking, elsewhere, PENDING],
    ['accepted by the policy alone where servers ask for no approval', STATUS, elsewhere, ACCEPTED],
    ['waiting where the policy is not known', STATUS, { ...elsewhere, ...closed }, PENDING],
  ])('%s', (_what, status, of, expected) => expect(remoteQuoteState(status, of)).toBe(expected))
})

test.each([
  ['no one, where its server does not say', QuotePolicy.UNSPECIFIED, QuotePolicy.NOBODY],
  ['those whom its server names', QuotePolicy.FOLLOWERS, QuotePolicy.FOLLOWERS],
])('a status of another server may be quoted by %s', (_whom, quotePolicy, expected) =>
  expect(remoteQuotePolicy({ quotePolicy })).toBe(expected),
)

test.each([
  ['as its server says', 7, 7],
  ['at most a thousand million', 2 ** 40, 1_000_000_000],
  ['as unknown where its server does not say', undefined, null],
])('favourites and boosts elsewhere count %s', (_how, count, counted) =>
  expect(remoteCounts({ favouritesCount: count, reblogsCount: count })).toEqual({ favourites: counted, reblogs: counted }),
)
