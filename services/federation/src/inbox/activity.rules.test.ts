import { expect, test } from 'vitest'
import type { JsonObject } from '../contract.ts'
import { envelopeOf, uriOf } from './activity.rules.ts'

const LIKE = { id: 'https://there.example/likes/1', type: 'Like', actor: 'https://there.example/users/ben' }
const read = (activity: JsonObject) => envelopeOf(activity, Buffer.from(JSON.stringify(activity)))

test('an activity says who does what, by an id on the host of the actor', () => {
  expect(read(LIKE)).toEqual({ id: LIKE.id, type: 'Like', actorUri: LIKE.actor })
  expect(read({ ...LIKE, actor: { id: LIKE.actor, type: 'Person' } })?.actorUri).toBe(LIKE.actor)
})

test.each<[string, JsonObject]>([
  ['an id of another host', { ...LIKE, id: 'https://elsewhere.example/likes/1' }],
  ['an id that is no text', { ...LIKE, id: 7 }],
  ['an id that is no address', { ...LIKE, id: 'tea' }],
  ['a very long id', { ...LIKE, id: `https://there.example/${'a'.repeat(3000)}` }],
  ['no actor', { ...LIKE, actor: undefined }],
  ['an actor that is a list', { ...LIKE, actor: [LIKE.actor] }],
  ['no type', { ...LIKE, type: undefined }],
  ['several types', { ...LIKE, type: ['Like', 'Follow'] }],
])('no activity: %s', (_, activity) => expect(read(activity)).toBeUndefined())

test('an activity without an id has one by its content', () => {
  const { id: _, ...anonymous } = LIKE
  expect(read(anonymous)?.id).toMatch(/^https:\/\/there\.example\/users\/ben#/)
  expect(read(anonymous)).toEqual(read({ ...anonymous }))
  expect(read({ ...anonymous, object: 'a' })?.id).not.toBe(read(anonymous)?.id)
})

test.each([
  ['a', 'a'],
  [{ id: 'a' }, 'a'],
  [{ id: 7 }, ''],
  [null, ''],
  [undefined, ''],
  [['a'], ''],
])('the address of %j is %j', (value, uri) => expect(uriOf(value)).toBe(uri))
