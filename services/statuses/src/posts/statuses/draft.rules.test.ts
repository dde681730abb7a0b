import { PublishRequest, QuotePolicy, QuoteState, Visibility } from '@rookery/contracts/statuses'
import { idAtTime } from '@rookery/ids'
import { describe, expect, test } from 'vitest'
import { type Draft, defaultQuotePolicy, draftOf, finalizeDraft, newStatusEvents, rowOf, storedMention } from './draft.rules.ts'
import type { PreparationRow, QuotedRow } from './publish-status.store.ts'

const mentioned = (id: string, more: object = {}) => ({
  id,
  username: id,
  hasBlock: false,
  mayNotify: true,
  followsAuthor: false,
  followedSince: 7,
  ...more,
})

const DRAFT: Draft = {
  authorId: 'mara',
  username: 'mara',
  visibility: Visibility.PUBLIC,
  text: 'tea #Birds',
  spoilerText: '',
  sensitive: false,
  language: 'en',
  content: '<p>tea</p>',
  parent: undefined,
  quoted: undefined,
  quoteState: QuoteState.ACCEPTED,
  quotePolicy: QuotePolicy.PUBLIC,
  isReplyToOther: false,
  isListed: true,
  application: undefined,
  people: [],
  tags: [{ name: 'birds', display: 'Birds' }],
  authorCreatedAt: new Date(5),
  isAuthorSilenced: false,
  isAuthorStaff: false,
  poll: null,
  emojis: [],
  link: 'https://tea.example/',
  contextVersion: undefined,
}

const QUOTED: QuotedRow = {
  id: '9',
  authorId: 'joel',
  visibility: Visibility.PUBLIC,
  quotePolicy: QuotePolicy.PUBLIC,
  isLocal: true,
  maySee: true,
  hasBlock: false,
  isFollowed: false,
  followedSince: 7,
  followsAuthor: true,
  mayNotify: true,
}

const attachment = { id: '3', type: 'image', url: '', preview_url: '', description: '', blurhash: '' }
const publish = (draft: Partial<Draft>, files: (typeof attachment)[] = [], scheduledId?: string) =>
  newStatusEvents(finalizeDraft({ ...DRAFT, ...draft }, idAtTime(1000), files), scheduledId).map(({ key, event }) => ({ key, ...event }))

test('a status is as old as its id', () => {
  expect(finalizeDraft(DRAFT, idAtTime(1000), []).createdAt).toEqual(new Date(1000))
})

const POLL = { isMultiple: false, hidesTotals: false, options: ['tea'], votes: [0], voters: 0 }

describe('what is published of a new status', () => {
  const value = (draft: Partial<Draft>, files?: (typeof attachment)[], scheduledId?: string) => publish(draft, files, scheduledId)[0]?.value
  test.each([
    ['its tags, author and visibility', value({}), { authorId: 'mara', visibility: 'public', tags: ['birds'], inReplyToAccountId: '' }],
    ['whom it answers', value({ parent: { id: '1', authorId: 'joel', isDirect: false, isMuted: false } }), { inReplyToAccountId: 'joel' }],
    ['its link', value({}), { link: 'https://tea.example/', hasMedia: false }],
    ['no link beside files', value({}, [attachment]), { link: undefined, hasMedia: true }],
    ['everyone it mentions', value({ people: [mentioned('joel', { mayNotify: false })] }), { mentionedAccountIds: ['joel'] }],
    ['the author it quotes', value({ quoted: QUOTED }), { quotedAuthorId: 'joel' }],
    ['when its poll ends', value({ poll: { ...POLL, expiresAt: 5000 } }), { poll: { expiresAtMilliseconds: 5000 } }],
    ['no end of a poll that has none', value({ poll: { ...POLL, expiresAt: null } }), { poll: undefined }],
    ['that it was fetched', value({ isFetched: true }), { isFetched: true }],
    ['nothing of that otherwise', value({ isFetched: false }), { isFetched: undefined }],
    ['what it was scheduled as', value({}, [], '9'), { scheduledId: '9' }],
  ])('holds %s', (_what, published, expected) => expect(published).toMatchObject(expected))
})

describe('a mention notifies', () => {
  const notified = (draft: Partial<Draft>) =>
    publish(draft)
      .slice(1)
      .map(({ key }) => key)
  test.each([
    ['those it mentions', [mentioned('joel'), mentioned('zoe')], ['joel', 'zoe']],
    ['no one who may not be notified', [mentioned('joel', { mayNotify: false })], []],
    ['not the author', [mentioned('mara')], []],
  ])('%s', (_whom, people, expected) => expect(notified({ people })).toEqual(expected))

  test.each([
    [Visibility.DIRECT, true],
    [Visibility.PRIVATE, false],
  ])('of visibility %s as a private mention: %s', (visibility, isPrivateMention) => {
    const [, event] = publish({ visibility, people: [mentioned('joel', { followsAuthor: true })] })
    expect(event?.value).toMatchObject({
      reason: 'mention',
      relation: {
        isPrivateMention,
        recipientFollowsActor: true,
        actorFollowsRecipient: true,
        actorFollowsSinceMilliseconds: 7,
        actorCreatedAtMilliseconds: 5,
      },
    })
  })
})

describe('a mention is known as a reply to a direct status of the recipient', () => {
  const parent = { id: '1', authorId: 'joel', isDirect: true, isMuted: false }
  test.each([
    ['when it is one', { visibility: Visibility.DIRECT, parent }, true],
    ['not when it is public itself', { visibility: Visibility.PUBLIC, parent }, false],
    ['not when the other status was public', { visibility: Visibility.DIRECT, parent: { ...parent, isDirect: false } }, false],
    ["not when the other status was someone else's", { visibility: Visibility.DIRECT, parent: { ...parent, authorId: 'zoe' } }, false],
    ['not when it answers nothing', { visibility: Visibility.DIRECT }, false],
  ])('%s', (_when, draft, isReplyToRecipient) => {
    const [, event] = publish({ ...draft, people: [mentioned('joel')] })
    expect(event?.value).toMatchObject({ relation: { isReplyToRecipient } })
  })
})

describe('a quote notifies', () => {
  const notified = (draft: Partial<Draft>) => publish({ quoted: QUOTED, ...draft }).slice(1)
  test.each([
    ['the quoted author', {}, ['joel']],
    ['not authors who quote themselves', { quoted: { ...QUOTED, authorId: 'mara' } }, []],
    ['not one who may not be notified', { quoted: { ...QUOTED, mayNotify: false } }, []],
    ['not one who has yet to approve', { quoteState: QuoteState.PENDING }, []],
    ['no one where nothing is quoted', { quoted: undefined }, []],
  ])('%s', (_whom, draft, expected) => expect(notified(draft).map(({ key }) => key)).toEqual(expected))

  test('as a quote, with how the two stand to each other', () =>
    expect(notified({})).toMatchObject([
      {
        value: {
          reason: 'quote',
          relation: { recipientFollowsActor: true, actorFollowsSinceMilliseconds: 7, actorCreatedAtMilliseconds: 5 },
        },
      },
    ]))
})

test('a mention says that its author holds a role', () => {
  const [, event] = publish({ isAuthorStaff: true, people: [mentioned('joel')] })
  expect(event?.value).toMatchObject({ relation: { isActorStaff: true } })
})

describe('a draft', () => {
  const author = { locked: false, defaultPrivacy: null as number | null, sensitive: false, isSilenced: false }
  const draft = (
    request: Partial<PublishRequest>,
    { locked, defaultPrivacy, sensitive, isSilenced }: typeof author = author,
    more: Partial<Pick<PreparationRow, 'parent' | 'quoted' | 'unusableTags'>> & { mentioned?: ReturnType<typeof mentioned>[] } = {},
  ) => {
    const { parent = null, quoted = null, unusableTags = [], mentioned: people = null } = more
    const own = {
      madeByKey: null,
      hasMoved: false,
      username: 'mara',
      defaultLanguage: null,
      locale: null,
      contextVersion: 3,
      quoted,
      defaultQuotePolicy: 'followers',
    }
    const preferences = { locked, defaultPrivacy, defaultSensitive: sensitive, isSilenced, isStaff: false, createdAt: new Date(5) }
    const row: PreparationRow = { ...own, unusableTags, ...preferences, parent, mentioned: people }
    const place = { baseUrl: 'https://birds.example', domain: 'birds.example', emojis: [], language: 'en', now: 0 }
    return draftOf(PublishRequest.fromPartial({ authorId: 'mara', text: 'tea', ...request }), row, place)
  }
  const parent = (authorId: string) => ({ id: '1', authorId, maySee: true, isDirect: false, isMuted: false })

  test.each([
    ['is public unless its author says otherwise', draft({}), { visibility: Visibility.PUBLIC, isListed: true }],
    ['of a locked account is private', draft({}, { ...author, locked: true }), { visibility: Visibility.PRIVATE, isListed: false }],
    ['keeps the visibility that is asked for', draft({ visibility: Visibility.DIRECT }), { visibility: Visibility.DIRECT }],
    ['of a silenced author is unlisted', draft({}, { ...author, isSilenced: true }), { visibility: Visibility.UNLISTED, isListed: false }],
    ['is sensitive by preference', draft({}, { ...author, sensitive: true }), { sensitive: true }],
    [
      'in reply to another is not listed',
      draft({}, author, { parent: parent('joel') }),
      { parent: parent('joel'), isReplyToOther: true, isListed: false },
    ],
    ['in reply to oneself is listed', draft({}, author, { parent: parent('mara') }), { isReplyToOther: false, isListed: true }],
    ['of a warning alone has it as its text', draft({ text: '', spoilerText: 'food' }), { text: 'food', spoilerText: '' }],
    ['names the first page it links to', draft({ text: 'https://tea.example/ https://b.example' }), { link: 'https://tea.example/' }],
    ['has the quote policy of its author', draft({}), { quotePolicy: QuotePolicy.FOLLOWERS, contextVersion: 3 }],
    ['has the quote policy that is asked for', draft({ quotePolicy: QuotePolicy.NOBODY }), { quotePolicy: QuotePolicy.NOBODY }],
    [
      'has the tags that staff left usable',
      draft({ text: '#tea #spam' }, author, { unusableTags: ['spam'] }),
      { tags: [{ name: 'tea', display: 'tea' }] },
    ],
    [
      'has the poll that is asked for',
      draft({ poll: { options: ['a', 'b'], expiresInSeconds: 300, isMultiple: false, hidesTotals: false } }),
      { poll: { expiresAt: 300_000, options: ['a', 'b'] } },
    ],
    ['has no poll otherwise', draft({}), { poll: null }],
  ])('%s', (_what, made, expected) => expect(made).toMatchObject(expected))

  const quote = (quoted: Partial<QuotedRow> | null, request: Partial<PublishRequest> = {}, people: ReturnType<typeof mentioned>[] = []) =>
    draft({ quotedStatusId: '9', text: 'https://tea.example/', ...request }, author, {
      quoted: quoted && { ...QUOTED, ...quoted },
      mentioned: people,
    })
  const { ACCEPTED, PENDING } = QuoteState
  const { PUBLIC, UNLISTED, PRIVATE, DIRECT } = Visibility
  const [own, elsewhere] = [{ authorId: 'mara' }, { isLocal: false }]
  const hidden = { visibility: PRIVATE, ...own }

  test.each([
    ['a status here is accepted, and shows no link beside it', quote({}), { quoted: QUOTED, quoteState: ACCEPTED, link: undefined }],
    ['a status elsewhere awaits approval', quote(elsewhere), { quoteState: PENDING }],
    ['an own status needs none', quote({ ...own, ...elsewhere }), { quoteState: ACCEPTED }],
    ['an own status that others may not quote is accepted', quote({ ...own, quotePolicy: QuotePolicy.NOBODY }), { quoteState: ACCEPTED }],
    [
      'a status of someone followed, for followers',
      quote({ quotePolicy: QuotePolicy.FOLLOWERS, isFollowed: true }),
      { quoteState: ACCEPTED },
    ],
    ['a public status stays public', quote({}), { visibility: PUBLIC }],
    ['an own private status is private', quote(hidden, { visibility: PUBLIC }), { visibility: PRIVATE, isListed: false }],
    ['an own private status is private, if it was to be unlisted', quote(hidden, { visibility: UNLISTED }), { visibility: PRIVATE }],
    ['an own private status stays direct', quote(hidden, { visibility: DIRECT }), { visibility: DIRECT }],
    [
      'a mentioned person in a direct status',
      quote({}, { visibility: DIRECT }, [mentioned('zoe'), mentioned('joel')]),
      { visibility: DIRECT },
    ],
    ['oneself in a direct status', quote(own, { visibility: DIRECT }), { visibility: DIRECT }],
    [
      'nothing, where none is asked for',
      quote({}, { quotedStatusId: '' }),
      { quoted: undefined, quoteState: ACCEPTED, link: 'https://tea.example/' },
    ],
  ])('that quotes %s', (_what, made, expected) => expect(made).toMatchObject(expected))

  const missing = 'The post you are trying to quote does not appear to exist.'
  const direct = 'Cannot quote a non-mentioned user in a Private Mention post.'
  test.each<[string, () => Draft, string]>([
    ['a status that is not there', () => quote(null), missing],
    ['a status that the author may not see', () => quote({ maySee: false }), missing],
    ['a status across a block', () => quote({ hasBlock: true }), missing],
    ['a status that no one may quote', () => quote({ quotePolicy: QuotePolicy.NOBODY }), missing],
    ['a status for followers, of someone not followed', () => quote({ quotePolicy: QuotePolicy.FOLLOWERS }), missing],
    ['an own direct status', () => quote({ ...own, visibility: DIRECT }), missing],
    ['someone in a direct status to no one', () => quote({}, { visibility: DIRECT }), direct],
    ['someone in a direct status to another', () => quote({}, { visibility: DIRECT }, [mentioned('zoe')]), direct],
  ])('is refused that quotes %s', (_what, made, fault) => expect(made).toThrow(fault))

  const mentioning = (accountIds?: string[], people = ['mara', 'joel', 'zoe'].map((id) => mentioned(id))) =>
    draft({ text: '@mara @joel @zoe', allowedMentions: accountIds && { accountIds } }, author, { mentioned: people })

  test.each<[string, Draft, string[]]>([
    ['whom its text does, where its author allows no list', mentioning(), ['mara', 'joel', 'zoe']],
    ['those whom its author allows, and its author', mentioning(['joel', 'zoe']), ['mara', 'joel', 'zoe']],
    ['not those behind a block, though none is allowed', mentioning([], [mentioned('zoe', { hasBlock: true })]), []],
  ])('mentions %s', (_whom, { people }, expected) => expect(people.map(({ id }) => id)).toEqual(expected))

  test('is refused that mentions others than its author allows, and names those', () =>
    expect(() => mentioning(['joel'])).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        message: 'Post would be sent to unexpected accounts',
        violations: [{ field: 'unexpected_accounts', code: 'ERR_UNEXPECTED', description: 'zoe' }],
      }),
    ))

  test('mentions no one whom a block stands against', () => {
    const people = [mentioned('joel'), mentioned('zoe', { hasBlock: true })]
    const { content, people: kept } = draft({ text: '@joel @zoe' }, author, { mentioned: people })
    expect(kept.map(({ id }) => id)).toEqual(['joel'])
    expect(content).toContain('/@joel')
    expect(content).not.toContain('/@zoe')
  })
})

test.each([
  ['nobody', QuotePolicy.NOBODY],
  ['followers', QuotePolicy.FOLLOWERS],
  ['public', QuotePolicy.PUBLIC],
  [null, QuotePolicy.PUBLIC],
])('by the preference %s, posts may be quoted by: %s', (preference, policy) => expect(defaultQuotePolicy(preference)).toBe(policy))

describe('the row of a new status', () => {
  const row = (draft: Partial<Draft>) => rowOf(finalizeDraft({ ...DRAFT, ...draft }, idAtTime(1000), []))
  const origin = { uri: 'https://far.example/1', url: 'https://far.example/@ann/1', domain: 'far.example' }
  test.each([
    [
      'has no place elsewhere, answers nothing and is of no app',
      row({}),
      {
        uri: null,
        url: null,
        domain: null,
        inReplyToId: null,
        inReplyToAccountId: null,
        editedAt: null,
        applicationName: null,
        applicationWebsite: null,
      },
    ],
    ['has its place elsewhere', row({ origin }), origin],
    [
      'names what it answers',
      row({ parent: { id: '1', authorId: 'joel', isDirect: false, isMuted: false } }),
      { inReplyToId: '1', inReplyToAccountId: 'joel' },
    ],
    [
      'names its app and the website',
      row({ application: { name: 'Web', website: 'https://web.example' } }),
      { applicationName: 'Web', applicationWebsite: 'https://web.example' },
    ],
    [
      'names no website that its app does not have',
      row({ application: { name: 'Web', website: '' } }),
      { applicationName: 'Web', applicationWebsite: null },
    ],
  ])('%s', (_what, made, expected) => expect(made).toMatchObject(expected))

  test('keeps where a mentioned person is from', () => {
    expect(storedMention({ id: '1', username: 'ann', origin })).toEqual({ id: '1', username: 'ann', origin })
    expect(storedMention({ id: '1', username: 'ann', origin: null })).toEqual({ id: '1', username: 'ann' })
  })
})
