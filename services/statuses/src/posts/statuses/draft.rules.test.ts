import { PublishRequest, QuotePolicy, QuoteState, Visibility } from '@rookery/contracts/statuses'
import { idAtTime } from '@rookery/ids'
import { describe, expect, test } from 'vitest'
import { type Draft, draftOf, finalizeDraft, newStatusEvents } from './draft.rules.ts'
import type { PreparationRow } from './publish-status.store.ts'

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

const attachment = { id: '3', type: 'image', url: '', preview_url: '', description: '', blurhash: '' }
const publish = (draft: Partial<Draft>, files: (typeof attachment)[] = [], scheduledId?: string) =>
  newStatusEvents(finalizeDraft({ ...DRAFT, ...draft }, idAtTime(1000), files), scheduledId).map(({ key, event }) => ({ key, ...event }))

test('a status is as old as its id', () => {
  expect(finalizeDraft(DRAFT, idAtTime(1000), []).createdAt).toEqual(new Date(1000))
})

describe('what is published of a new status', () => {
  const value = (draft: Partial<Draft>, files?: (typeof attachment)[], scheduledId?: string) => publish(draft, files, scheduledId)[0]?.value
  test.each([
    ['its tags, author and visibility', value({}), { authorId: 'mara', visibility: 'public', tags: ['birds'], inReplyToAccountId: '' }],
    ['whom it answers', value({ parent: { id: '1', authorId: 'joel', isDirect: false, isMuted: false } }), { inReplyToAccountId: 'joel' }],
    ['its link', value({}), { link: 'https://tea.example/', hasMedia: false }],
    ['no link beside files', value({}, [attachment]), { link: undefined, hasMedia: true }],
    ['everyone it mentions', value({ people: [mentioned('joel', { mayNotify: false })] }), { mentionedAccountIds: ['joel'] }],
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

test('a mention says that its author holds a role', () => {
  const [, event] = publish({ isAuthorStaff: true, people: [mentioned('joel')] })
  expect(event?.value).toMatchObject({ relation: { isActorStaff: true } })
})

describe('a draft', () => {
  const author = { locked: false, defaultPrivacy: null as number | null, sensitive: false, isSilenced: false }
  const draft = (
    request: Partial<PublishRequest>,
    { locked, defaultPrivacy, sensitive, isSilenced }: typeof author = author,
    more: { parent?: PreparationRow['parent']; mentioned?: ReturnType<typeof mentioned>[] } = {},
  ) => {
    const { parent = null, mentioned: people = null } = more
    const own = {
      madeByKey: null,
      hasMoved: false,
      username: 'mara',
      defaultLanguage: null,
      locale: null,
      contextVersion: null,
      quoted: null,
      defaultQuotePolicy: null,
    }
    const preferences = { locked, defaultPrivacy, defaultSensitive: sensitive, isSilenced, isStaff: false, createdAt: new Date(5) }
    const row: PreparationRow = { ...own, unusableTags: [], ...preferences, parent, mentioned: people }
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
  ])('%s', (_what, made, expected) => expect(made).toMatchObject(expected))

  test('mentions no one whom a block stands against', () => {
    const people = [mentioned('joel'), mentioned('zoe', { hasBlock: true })]
    const { content, people: kept } = draft({ text: '@joel @zoe' }, author, { mentioned: people })
    expect(kept.map(({ id }) => id)).toEqual(['joel'])
    expect(content).toContain('/@joel')
    expect(content).not.toContain('/@zoe')
  })
})
