import { describe, expect, test } from 'vitest'
import { barOf, completesSignUp, endsOwnership, hasJoined, isActive, isStillProved, startOfWeek, stateOf } from './login.rules.ts'

const AT = new Date(1)
const LOGIN = { confirmedAt: AT, approvedAt: AT, disabledAt: null, suspendedAt: null, memorialAt: null, closingAt: null }

describe('the state of a login', () => {
  test.each([
    ['confirmed and approved', LOGIN, 'active'],
    ['without confirmation', { ...LOGIN, confirmedAt: null }, 'unconfirmed'],
    ['without approval', { ...LOGIN, approvedAt: null }, 'pending'],
    ['without either', { ...LOGIN, confirmedAt: null, approvedAt: null }, 'unconfirmed'],
    ['disabled', { ...LOGIN, disabledAt: AT }, 'disabled'],
    ['suspended', { ...LOGIN, suspendedAt: AT }, 'disabled'],
    ['in memoriam', { ...LOGIN, memorialAt: AT }, 'disabled'],
    ['about to be deleted', { ...LOGIN, closingAt: AT }, 'disabled'],
    ['disabled without confirmation', { ...LOGIN, disabledAt: AT, confirmedAt: null }, 'disabled'],
  ])('%s', (_what, login, state) => {
    expect(stateOf(login)).toBe(state)
    expect(isActive(login)).toBe(state === 'active')
  })
})

test.each([
  ['disabled', { ...LOGIN, disabledAt: AT }, true],
  ['in memoriam', { ...LOGIN, memorialAt: AT }, true],
  ['without confirmation', { ...LOGIN, confirmedAt: null }, false],
  ['without approval', { ...LOGIN, approvedAt: null }, false],
])('who has signed up in full: %s', (_what, login, expected) => expect(hasJoined(login)).toBe(expected))

describe('a change completes a sign-up', () => {
  const asked = (confirmedAt: Date | null, signUpAddress = '192.0.2.1') => ({ signUpAddress, confirmedAt })
  test.each([
    ['when the address is confirmed', asked(null), asked(AT), true],
    ['when a new login is confirmed at once', undefined, asked(AT), true],
    ['not when it was confirmed before', asked(AT), asked(AT), false],
    ['not while it is unconfirmed', asked(null), asked(null), false],
    ['not for those whom an operator signed up', undefined, asked(AT, ''), false],
  ])('%s', (_when, before, after, expected) => expect(completesSignUp(before, after)).toBe(expected))
})

test.each([
  ['2026-03-01T23:59:59.999Z', '2026-02-23'],
  ['2026-03-02T00:00:00.000Z', '2026-03-02'],
  ['2026-01-01T12:00:00.000Z', '2025-12-29'],
])('%s is in the week of %s', (moment, week) => expect(startOfWeek(Date.parse(moment))).toEqual(new Date(`${week}T00:00:00.000Z`)))

test.each([
  ['the login is as it was', {}, true],
  ['the password is another', { passwordHash: 'later' }, false],
  ['the login was disabled', { disabledAt: new Date() }, false],
])('what was proved counts while the login may sign in with the same password: %s', (_what, change, counts) => {
  const then = { accountId: '1', passwordHash: 'then' }
  const login = { ...then, confirmedAt: new Date(), approvedAt: new Date(), disabledAt: null, ...change }
  expect(isStillProved(login, then)).toBe(counts)
})

test.each([
  ['disabled', { ...LOGIN, disabledAt: AT }, 'disabled'],
  ['in memoriam, and disabled', { ...LOGIN, memorialAt: AT, disabledAt: AT }, 'memorial'],
  ['suspended, and in memoriam', { ...LOGIN, suspendedAt: AT, memorialAt: AT }, 'suspended'],
  ['about to be deleted, and suspended', { ...LOGIN, closingAt: AT, suspendedAt: AT }, 'closing'],
])('a login that is %s is barred as %3$s', (_what, login, bar) => expect(barOf(login)).toBe(bar))

describe('a change leaves the server with one owner fewer', () => {
  const owner = { ...LOGIN, role: 'owner' }
  test.each([
    ['when the owner gets another role', owner, { ...owner, role: 'admin' }, true],
    ['when the owner is disabled', owner, { ...owner, disabledAt: AT }, true],
    ['when the owner is suspended', owner, { ...owner, suspendedAt: AT }, true],
    ['when the owner is in memoriam', owner, { ...owner, memorialAt: AT }, true],
    ['when the account of the owner is about to be deleted', owner, { ...owner, closingAt: AT }, true],
    ['not when the owner stays one', owner, { ...owner, approvedAt: null }, false],
    ['not when someone else is disabled', { ...owner, role: 'admin' }, { ...owner, role: 'admin', disabledAt: AT }, false],
    ['not when an owner was disabled before', { ...owner, disabledAt: AT }, { ...owner, disabledAt: AT, role: 'user' }, false],
    ['not when someone becomes an owner', { ...owner, role: 'user' }, owner, false],
  ])('%s', (_when, before, after, expected) => expect(endsOwnership(before, after)).toBe(expected))
})
