import { Actor, OutgoingStatus, Visibility } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { readActivity } from '../reading/activity.ts'
import { readActor } from '../reading/actor.ts'
import { PUBLIC, visibilityOf } from '../reading/audience.ts'
import { readCollection } from '../reading/collection.ts'
import { readObject } from '../reading/object.ts'
import { renderAnnounce, renderCreate, renderUpdate, renderVote } from './activities.ts'
import { renderActor } from './actor.ts'
import { renderCollection, renderPage } from './collection.ts'
import { withContext } from './context.ts'
import { renderNote } from './note.ts'
import { localName, places } from './places.ts'

const HERE = 'https://here.example'
const at = places(HERE)
const MARA = `${HERE}/users/mara`
const NOW = Date.parse('2026-03-01T10:00:00.123Z')

const actor = Actor.fromPartial({
  id: '1',
  username: 'mara',
  displayName: 'Mara :tea:',
  note: '<p>Tea</p>',
  fields: [{ name: 'Site', value: '<a href="https://mara.example">mara.example</a>' }],
  avatarUrl: `${HERE}/media/a.png`,
  headerUrl: `${HERE}/media/h.jpg`,
  locked: true,
  discoverable: true,
  indexable: true,
  createdAtMilliseconds: NOW,
  emojis: [{ shortcode: 'tea', url: `${HERE}/emoji/tea.png`, staticUrl: '', visibleInPicker: true, category: '' }],
  alsoKnownAs: ['https://old.example/users/mara'],
  movedTo: 'https://new.example/users/mara',
})

const status = (more: Parameters<typeof OutgoingStatus.fromPartial>[0] = {}) =>
  OutgoingStatus.fromPartial({
    id: '7',
    uri: `${MARA}/statuses/7`,
    authorId: '1',
    authorUsername: 'mara',
    visibility: Visibility.PUBLIC,
    content: '<p>Tea</p>',
    language: 'en',
    publishedAtMilliseconds: NOW,
    mentions: [{ accountId: '9', uri: 'https://there.example/users/ann', acct: 'ann@there.example' }],
    tags: ['tea'],
    attachments: [
      {
        id: '5',
        type: 'image',
        url: `${HERE}/media/5.png`,
        previewUrl: `${HERE}/media/5-small.png`,
        description: 'a cup',
        blurhash: 'LEHV6nWB2yk8',
        focus: { x: 0.5, y: -0.5 },
        original: { width: 40, height: 30 },
      },
    ],
    ...more,
  })

describe('what is rendered here is read as it was', () => {
  test('an actor', () => {
    const read = readActor(renderActor(actor, { at, publicKeyPem: 'PEM' }))
    expect(read).toMatchObject({
      uri: MARA,
      inbox: `${MARA}/inbox`,
      sharedInbox: `${HERE}/inbox`,
      keyId: `${MARA}#main-key`,
      publicKeyPem: 'PEM',
    })
    expect(read).toMatchObject({ featuredUri: `${MARA}/collections/featured` })
    expect(read?.profile).toMatchObject({
      username: 'mara',
      displayName: 'Mara :tea:',
      noteHtml: '<p>Tea</p>',
      fields: actor.fields,
      avatarUrl: `${HERE}/media/a.png`,
      locked: true,
      bot: false,
      discoverable: true,
      indexable: true,
      emojis: [{ shortcode: 'tea' }],
      alsoKnownAs: ['https://old.example/users/mara'],
      movedTo: 'https://new.example/users/mara',
    })
  })

  test('an actor who is suspended, who says nothing of themselves', () => {
    const document = renderActor({ ...actor, isSuspended: true }, { at, publicKeyPem: 'PEM' })
    expect(Object.keys(document)).not.toEqual(expect.arrayContaining(['icon', 'image', 'alsoKnownAs', 'movedTo', 'attributionDomains']))
    const read = readActor(document)
    expect(read).toMatchObject({ uri: MARA, inbox: `${MARA}/inbox`, keyId: `${MARA}#main-key`, publicKeyPem: 'PEM' })
    const nothing = { displayName: '', noteHtml: '', fields: [], avatarUrl: '', headerUrl: '', emojis: [], alsoKnownAs: [], movedTo: '' }
    expect(read?.profile).toMatchObject({ username: 'mara', isSuspended: true, discoverable: false, indexable: false, ...nothing })
  })

  test('a status', () => {
    const object = readObject(renderNote(status({ spoilerText: 'tea', sensitive: true, inReplyToUri: 'https://there.example/1' }), at))
    expect(object).toMatchObject({
      uri: `${MARA}/statuses/7`,
      type: 'Note',
      url: `${HERE}/@mara/7`,
      authors: [MARA],
      contentHtml: '<p>Tea</p>',
      spoilerText: 'tea',
      sensitive: true,
      language: 'en',
      inReplyTo: 'https://there.example/1',
      mentions: [{ uri: 'https://there.example/users/ann', name: '@ann@there.example' }],
      tags: ['tea'],
      attachments: [{ type: 'image', description: 'a cup', focus: { x: 0.5, y: -0.5 }, width: 40, height: 30 }],
    })
  })

  test.each([
    ['one of', false, 'oneOf'],
    ['any of', true, 'anyOf'],
  ])('a poll of %s', (_how, isMultiple, name) => {
    const options = [
      { title: 'yes', votesCount: 2 },
      { title: 'no', votesCount: 0 },
    ]
    const rendered = renderNote(status({ poll: { options, isMultiple, votersCount: 2, expiresAtMilliseconds: NOW, isExpired: true } }), at)
    expect(rendered).toMatchObject({ type: 'Question', [name]: expect.any(Array), closed: '2026-03-01T10:00:00.123Z' })
    expect(readObject(rendered)?.poll).toEqual({
      options,
      isMultiple,
      votersCount: 2,
      expiresAtMilliseconds: NOW,
    })
  })

  test.each([
    ['public', Visibility.PUBLIC],
    ['unlisted', Visibility.UNLISTED],
    ['private', Visibility.PRIVATE],
    ['direct', Visibility.DIRECT],
  ])('the visibility of a %s status, of its activity and of its boost', (_name, visibility) => {
    const said = status({ visibility })
    const create = renderCreate(said, at)
    expect(visibilityOf(readObject(renderNote(said, at))!.recipients, `${MARA}/followers`)).toBe(visibility)
    expect(visibilityOf(readActivity(create)!.recipients, `${MARA}/followers`)).toBe(visibility)
    const boost = status({
      visibility,
      uri: `${MARA}/statuses/7/activity`,
      reblogOfUri: 'https://there.example/1',
      reblogOfAuthorUri: 'https://there.example/users/ann',
    })
    const shown = visibility === Visibility.DIRECT ? Visibility.PRIVATE : visibility
    expect(visibilityOf(readActivity(renderAnnounce(boost, at))!.recipients, `${MARA}/followers`)).toBe(shown)
  })

  test('a vote, which is a name without a text', () => {
    const vote = renderVote({
      id: `${MARA}#votes/1`,
      actor: MARA,
      question: 'https://there.example/q',
      author: 'https://there.example/users/ann',
      choice: 'yes',
    })
    expect(readActivity(vote)).toMatchObject({ type: 'Create', actor: MARA })
    expect(readObject(vote['object'])).toMatchObject({ name: 'yes', hasContent: false, inReplyTo: 'https://there.example/q' })
  })

  test('a page of a collection', () => {
    const id = `${MARA}/outbox`
    expect(readCollection(renderCollection({ id, total: 3, hasPages: true }))).toMatchObject({ total: 3, next: `${id}?page=true` })
    expect(readCollection(renderPage({ id, maxId: '', items: ['https://x.example/1'], next: '5' }))).toMatchObject({
      items: [{ uri: 'https://x.example/1' }],
      next: `${id}?max_id=5&page=true`,
    })
  })
})

test('a direct status names only those it mentions', () => {
  const note = renderNote(status({ visibility: Visibility.DIRECT }), at)
  expect(note).toMatchObject({ to: ['https://there.example/users/ann'], cc: [] })
})

test('a mention of someone here names this server', () => {
  const note = renderNote(status({ mentions: [{ accountId: '2', uri: `${HERE}/users/joel`, acct: 'joel' }] }), at)
  expect(note['tag']).toContainEqual({ type: 'Mention', href: `${HERE}/users/joel`, name: '@joel@here.example' })
})

test('two edits are two activities of one object', () => {
  const [one, other] = ['1', '2'].map((version) => renderUpdate(status(), { at, version, now: NOW }))
  expect(one!['id']).not.toBe(other!['id'])
  expect(one!['object']).toEqual(other!['object'])
})

describe('a context', () => {
  test('of plain ActivityStreams is one address', () => {
    expect(withContext({ id: 'x', type: 'Like', object: 'y' })['@context']).toBe('https://www.w3.org/ns/activitystreams')
  })
  test('defines what is used beyond it, and no more', () => {
    expect(withContext({ type: 'Note', sensitive: false, tag: [{ type: 'Hashtag', name: '#a' }] })['@context']).toEqual([
      'https://www.w3.org/ns/activitystreams',
      { sensitive: 'as:sensitive', Hashtag: 'as:Hashtag' },
    ])
  })
  test('of an actor defines the prefixes of its words', () => {
    const [, security, terms] = withContext(renderActor(actor, { at, publicKeyPem: 'PEM' }))['@context'] as unknown[]
    expect(security).toBe('https://w3id.org/security/v1')
    expect(terms).toMatchObject({ toot: 'http://joinmastodon.org/ns#', schema: 'http://schema.org#', indexable: 'toot:indexable' })
  })
})

test.each([
  [`${HERE}/users/mara`, { username: 'mara', statusId: '' }],
  [`${HERE}/users/mara/statuses/7`, { username: 'mara', statusId: '7' }],
  [`${HERE}/users/mara/statuses/7/activity`, { username: 'mara', statusId: '7' }],
  [`${HERE}/@mara`, { username: 'mara', statusId: '' }],
  [`${HERE}/@mara/7`, { username: 'mara', statusId: '7' }],
  [`${HERE}/users/mara/followers`, undefined],
  [`${HERE}.evil.example/users/mara`, undefined],
  ['https://there.example/users/mara', undefined],
  ['http://here.example/users/mara', undefined],
  [PUBLIC, undefined],
  ['no address', undefined],
])('%s names %j', (uri, name) => expect(localName(HERE, uri)).toEqual(name))
