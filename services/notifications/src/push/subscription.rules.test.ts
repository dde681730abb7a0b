import { createECDH } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addressOf, allows, preferencesOf } from './subscription.rules.ts'

const point = createECDH('prime256v1').generateKeys()
const auth = Buffer.alloc(16, 7)
const good = { endpoint: 'https://push.example/1', p256dh: point.toString('base64url'), auth: auth.toString('base64url') }

describe('where a device is reached', () => {
  test.each([
    ['base64url', good.p256dh, good.auth],
    ['base64, padded', point.toString('base64'), auth.toString('base64')],
  ])('is the same however keys are spelled: %s', (_spelling, p256dh, secret) => {
    expect(addressOf({ ...good, p256dh, auth: secret })).toEqual(good)
  })

  test.each([
    [{ endpoint: '' }, "Validation failed: Endpoint can't be blank"],
    [{ endpoint: 'javascript:alert(1)' }, 'Validation failed: Endpoint is invalid'],
    [{ endpoint: 'https://push.example/\r\nX: y' }, 'Validation failed: Endpoint is invalid'],
    [{ endpoint: 'https://me@push.example' }, 'Validation failed: Endpoint is invalid'],
    [{ p256dh: '' }, 'Validation failed: Key p256dh is invalid'],
    [{ p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url') }, 'Validation failed: Key p256dh is invalid'],
    [{ p256dh: createECDH('prime256v1').generateKeys('base64', 'compressed') }, 'Validation failed: Key p256dh is invalid'],
    [{ auth: Buffer.alloc(15).toString('base64') }, 'Validation failed: Key auth is invalid'],
    [{ endpoint: 'x', p256dh: 'x', auth: 'x' }, 'Validation failed: Endpoint is invalid, Key p256dh is invalid, Key auth is invalid'],
  ])('is refused for %j', (wrong, message) => {
    expect(() => addressOf({ ...good, ...wrong })).toThrow(message)
  })
})

test.each([
  ['', 'all'],
  ['all', 'all'],
  ['followed', 'followed'],
  ['follower', 'follower'],
  ['none', 'none'],
])('the policy %j is %s', (typed, policy) => {
  expect(preferencesOf({ alerts: {}, policy: typed }).policy).toBe(policy)
})

test('an unknown policy, and more alerts than there are types, are refused', () => {
  expect(() => preferencesOf({ alerts: {}, policy: 'friends' })).toThrow('Policy is not included in the list')
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`type${index}`, true]))
  expect(() => preferencesOf({ alerts: many, policy: '' })).toThrow('Alerts are invalid')
  expect(() => preferencesOf({ alerts: { ['a'.repeat(41)]: true }, policy: '' })).toThrow('Alerts are invalid')
})

test.each([
  ['all', false, false, true],
  ['followed', true, false, true],
  ['followed', false, true, false],
  ['follower', false, true, true],
  ['follower', true, false, false],
  ['none', true, true, false],
])('the policy %s with following %s and followed by %s lets through: %s', (policy, following, followedBy, isAllowed) => {
  expect(allows(policy, { following, followedBy })).toBe(isAllowed)
})
