import { expect, test } from 'vitest'
import type { JsonObject } from '../contract.ts'
import { envelopeOf, followTakenBack, uriOf } from './activity.rules.ts'

const LIKE = { id: 'https://there.example/likes/1', type: 'Like', actor: 'https://there.example/users/ben' }
const read = (activity: JsonObject) => envelopeOf(activity, Buffer.from(JSON.stringify(activity)))

test('an activity says who does what, by an id on the host of the actor', () => {
  expect(read(LIKE)).toEqual({ id: LIKE.id, type: 'Like', actorUri: LIKE.actor })
  expect(read({ ...LIKE, actor: { id: LIKE.actor, type: 'Person' } })?.actorUri).toBe(LIKE.actor)
})

test('one or many are the same, as everywhere in ActivityStreams: the first counts', () => {
  expect(read({ ...LIKE, type: ['Like', 'http://example.org/Applause'], actor: [LIKE.actor] })).toEqual(read(LIKE))
})

test.each<[string, JsonObject]>([
  ['an id of another host', { ...LIKE, id: 'https://elsewhere.example/likes/1' }],
  ['an id that is no text', { ...LIKE, id: 7 }],
  ['an id that is no address', { ...LIKE, id: 'tea' }],
  ['an id that is too long', { ...LIKE, id: LIKE.id.padEnd(2049, '1') }],
  ['a type that is too long', { ...LIKE, type: 'L'.repeat(101) }],
  ['an id that is long as bytes', { ...LIKE, id: `https://there.example/${'ä'.repeat(1500)}` }],
  ['an actor with a very long id', { ...LIKE, actor: `https://there.example/${'a'.repeat(500)}` }],
  ['no actor', { ...LIKE, actor: undefined }],
  ['an empty list of actors', { ...LIKE, actor: [] }],
  ['no type', { ...LIKE, type: undefined }],
  ['an empty list of types', { ...LIKE, type: [] }],
])('no activity: %s', (_, activity) => expect(read(activity)).toBeUndefined())

test('the longest id and type are read', () => {
  const longest = { ...LIKE, id: LIKE.id.padEnd(2048, '1'), type: 'L'.repeat(100) }
  expect(read(longest)).toEqual({ id: longest.id, type: longest.type, actorUri: LIKE.actor })
})

test('an activity without an id has one by its content', () => {
  const { id: _, ...anonymous } = LIKE
  expect(read(anonymous)?.id).toMatch(/^https:\/\/there\.example\/users\/ben#/)
  expect(read(anonymous)).toEqual(read({ ...anonymous }))
  expect(read({ ...anonymous, id: null })?.id).toMatch(/^https:\/\/there\.example\/users\/ben#/)
  expect(read({ ...anonymous, object: 'a' })?.id).not.toBe(read(anonymous)?.id)
})

test('an Undo with the id of an earlier one is another where it says something else', () => {
  const undo = { ...LIKE, type: 'Undo', published: '2026-01-01T00:00:00Z' }
  expect(read(undo)).toEqual(read({ ...undo }))
  expect(read({ ...undo, published: '2026-01-02T00:00:00Z' })?.id).not.toBe(read(undo)?.id)
})

// WriteFreely publishes, changes and deletes a post with activities that all have the id of the post.
test('an activity with the id of its object is another where it says something else', () => {
  const object = { id: LIKE.id, type: 'Note', content: 'one' }
  const created = read({ ...LIKE, type: 'Create', object })
  expect(created).toEqual(read({ ...LIKE, type: 'Create', object }))
  const others = [
    { ...LIKE, type: 'Update', object: { ...object, content: 'two' } },
    { ...LIKE, type: 'Update', object: { ...object, content: 'three' } },
    { ...LIKE, type: 'Delete', object: LIKE.id },
  ].map((activity) => read(activity)?.id)
  expect(new Set([created?.id, ...others]).size).toBe(4)
})

test.each([
  ['a', 'a'],
  [{ id: 'a' }, 'a'],
  [{ id: 7 }, ''],
  [null, ''],
  [undefined, ''],
  [['a', 'b'], 'a'],
  [[], ''],
])('the address of %j is %j', (value, uri) => expect(uriOf(value)).toBe(uri))

const FOLLOW = { id: 'https://there.example/follows/1', type: 'Follow' }

test.each<[string, JsonObject, string]>([
  ['the follow that an Undo holds', { type: 'Undo', object: FOLLOW }, FOLLOW.id],
  ['the follow in lists of one', { type: ['Undo'], object: [{ ...FOLLOW, type: ['Follow'] }] }, FOLLOW.id],
  ['nothing of another activity about a follow', { type: 'Accept', object: FOLLOW }, ''],
  ['nothing that is no follow', { type: 'Undo', object: { ...FOLLOW, type: 'Like' } }, ''],
  ['nothing without a type', { type: 'Undo', object: { id: FOLLOW.id } }, ''],
  ['nothing that is an address alone', { type: 'Undo', object: FOLLOW.id }, ''],
  ['nothing at all', { type: 'Undo', object: null }, ''],
])('an activity takes back %s', (_what, activity, id) => expect(followTakenBack(activity)).toBe(id))
