import { describe, expect, test } from 'vitest'
import { mastodonNote } from '../../../tests/shapes/objects.ts'
import { readActivity } from './activity.ts'
import { readActor } from './actor.ts'
import { readCollection } from './collection.ts'
import { readObject } from './object.ts'

const ANN = 'https://mastodon.example/users/ann'
const MARA = 'https://here.example/users/mara'
const follow = { id: `${ANN}#follows/1`, type: 'Follow', actor: ANN, object: MARA }

describe('an activity is read', () => {
  test.each([
    ['with its object by id', follow, { type: 'Follow', actor: ANN, object: { uri: MARA, document: undefined, activity: undefined } }],
    [
      'with its object embedded',
      { type: 'Create', actor: { id: ANN, type: 'Person' }, object: mastodonNote },
      { id: '', actor: ANN, object: { uri: mastodonNote.id } },
    ],
    [
      'that undoes another one',
      { id: `${ANN}#undo`, type: 'Undo', actor: ANN, object: follow },
      { object: { activity: { type: 'Follow', object: { uri: MARA } } } },
    ],
    [
      'that undoes another one which names no actor',
      { id: `${ANN}#undo`, type: 'Undo', actor: ANN, object: { type: 'Follow', object: MARA } },
      { object: { activity: { type: 'Follow', actor: ANN, object: { uri: MARA } } } },
    ],
    [
      'that accepts another one which names no actor: that would be the one who asked',
      { id: `${ANN}#accept`, type: 'Accept', actor: ANN, object: { id: `${MARA}#follows/1`, type: 'Follow', object: ANN } },
      { object: { uri: `${MARA}#follows/1`, activity: undefined } },
    ],
    ['with its type in full', { ...follow, type: 'https://www.w3.org/ns/activitystreams#Follow' }, { type: 'Follow' }],
    ['with an object in an array', { ...follow, object: [MARA] }, { object: { uri: MARA } }],
    ['with several types', { ...follow, type: ['Follow', 'http://example.org/Else'] }, { type: 'Follow' }],
    [
      'that reports several things',
      {
        id: 'https://mastodon.example/1',
        type: 'Flag',
        actor: 'https://mastodon.example/actor',
        content: 'spam',
        object: [MARA, `${MARA}/statuses/1`],
      },
      { objects: [MARA, `${MARA}/statuses/1`], content: 'spam' },
    ],
    [
      'of Misskey with a reaction',
      { ...follow, type: 'Like', content: ':heart:', _misskey_reaction: ':heart:' },
      { type: 'Like', content: ':heart:' },
    ],
    ['of Pleroma with a reaction', { ...follow, type: 'litepub:EmojiReact', content: '🐦' }, { type: 'EmojiReact', content: '🐦' }],
    ['that moves', { id: `${ANN}#moves/1`, type: 'Move', actor: ANN, object: ANN, target: { id: MARA } }, { target: MARA }],
    [
      'of a group that announces what a member wrote',
      {
        id: 'https://lemmy.example/a/1',
        type: 'Announce',
        actor: 'https://lemmy.example/c/birds',
        object: { id: 'https://lemmy.example/a/2', type: 'Create', actor: ANN, object: mastodonNote },
      },
      { object: { activity: { type: 'Create', object: { uri: mastodonNote.id } } } },
    ],
  ])('%s', (_how, document, expected) => expect(readActivity(document)).toMatchObject(expected))
})

describe('an activity is none', () => {
  test.each([
    ['without an actor', { ...follow, actor: undefined }],
    ['of a type that is not known', { ...follow, type: 'Arrive' }],
    ['that is null', null],
    ['that is an array', [follow]],
    ['with a type that is an object', { ...follow, type: { a: 1 } }],
  ])('%s', (_why, document) => expect(readActivity(document)).toBeUndefined())
})

const circular: Record<string, unknown> = {
  type: 'Undo',
  actor: ANN,
  id: `${ANN}#1`,
  attributedTo: ANN,
  inbox: ANN,
  preferredUsername: 'ann',
}
circular['object'] = circular
circular['tag'] = [circular]
circular['attachment'] = circular
circular['icon'] = circular
circular['first'] = circular
circular['items'] = [circular, circular]
const deep = (depth: number): unknown => (depth === 0 ? 'x' : [deep(depth - 1)])

describe('absurd input is read without an end or a throw', () => {
  const VALUES = [
    circular,
    deep(2000),
    '',
    0,
    -1,
    Number.NaN,
    true,
    null,
    [],
    {},
    [[]],
    [null],
    'x'.repeat(100_000),
    { id: {} },
    { __proto__: null },
  ]
  const NAMES = [
    ...['@context', 'id', 'type', 'actor', 'object', 'target', 'to', 'cc', 'tag', 'attachment', 'icon', 'image', 'url', 'name', 'nameMap'],
    ...['summary', 'content', 'contentMap', 'source', 'published', 'updated', 'inReplyTo', 'oneOf', 'anyOf', 'endTime', 'quote', 'replies'],
    ...[
      'endpoints',
      'publicKey',
      'featured',
      'alsoKnownAs',
      'movedTo',
      'first',
      'items',
      'orderedItems',
      'location',
      'startTime',
      'language',
    ],
  ]
  const BASES = [
    { ...mastodonNote },
    { ...mastodonNote, type: 'Event' },
    { ...mastodonNote, type: 'Video' },
    circular,
    { type: 'Collection' },
    { ...circular, type: 'Person' },
  ]
  test.each(NAMES)('for %s', (name) => {
    for (const base of BASES) {
      for (const value of VALUES) {
        const document = { ...base, [name]: value }
        for (const read of [readActivity, readActor, readObject, readCollection]) expect(() => read(document)).not.toThrow()
      }
    }
  })

  test('activities in activities, three deep at most', () => {
    expect(readActivity(circular)?.object.activity?.object.activity?.object.activity).toMatchObject({ object: { activity: undefined } })
  })
})

describe('a collection', () => {
  test('is read with its first page', () => {
    const first = {
      type: 'OrderedCollectionPage',
      next: 'https://x.example/2',
      orderedItems: ['https://x.example/a', { id: 'https://x.example/b' }],
    }
    expect(readCollection({ id: 'https://x.example/1', type: 'OrderedCollection', totalItems: 5, first })).toMatchObject({
      total: 5,
      items: [],
      firstPage: { items: [{ uri: 'https://x.example/a' }, { uri: 'https://x.example/b' }], next: 'https://x.example/2' },
    })
  })

  test('without an end is cut', () => {
    const items = Array.from({ length: 10_000 }, (_, index) => `https://x.example/${index}`)
    expect(readCollection({ type: 'Collection', items })?.items).toHaveLength(200)
  })
})
