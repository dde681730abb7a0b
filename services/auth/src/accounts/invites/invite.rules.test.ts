import { mayInvite, permissionsOf, ROLES, type RoleName } from '@rookery/contracts/permissions'
import { expect, test } from 'vitest'
import { goodUntil, wantedInvite } from './invite.rules.ts'
import { isInviteCode, makeInviteCode } from './invite-code.ts'

const form = { maxUses: '', expiresIn: '', autofollow: false }

test.each([
  ['nothing', form, { maxUses: null, lifetimeSeconds: null, autofollow: false }],
  ['one use', { ...form, maxUses: '1' }, { maxUses: 1, lifetimeSeconds: null, autofollow: false }],
  [
    'a day, and to be followed',
    { ...form, expiresIn: '86400', autofollow: true },
    { maxUses: null, lifetimeSeconds: 86_400, autofollow: true },
  ],
  ['two uses', { ...form, maxUses: '2' }, undefined],
  ['a use that is written otherwise', { ...form, maxUses: '01' }, undefined],
  ['no use', { ...form, maxUses: '0' }, undefined],
  ['a time before now', { ...form, expiresIn: '-1800' }, undefined],
  ['a time that is none', { ...form, expiresIn: 'soon' }, undefined],
])('a form that asks for %s', (_case, given, wanted) => expect(wantedInvite(given)).toEqual(wanted))

test('an invitation is good for as long as was chosen', () => {
  expect(goodUntil({ maxUses: null, lifetimeSeconds: 1800, autofollow: false }, 5000)).toEqual(new Date(1_805_000))
  expect(goodUntil({ maxUses: null, lifetimeSeconds: null, autofollow: false }, 5000)).toBeNull()
})

test('codes are long, differ, and can be copied by hand', () => {
  const codes = Array.from({ length: 1000 }, makeInviteCode)
  expect(new Set(codes).size).toBe(1000)
  for (const code of codes) expect(code).toMatch(/^[a-zA-Z2-9]{16}$/)
  expect(codes.join('')).not.toMatch(/[01lIO]/)
})

test.each([
  ['', false],
  ['abc', true],
  [makeInviteCode(), true],
  ['a'.repeat(65), false],
  ['ab-c', false],
  ['ab\0c', false],
  ['ab/c', false],
  ['äbc', false],
])('%j may be a code: %s', (text, is) => expect(isInviteCode(text)).toBe(is))

test.each<[RoleName, boolean, boolean, boolean]>([
  ['user', true, false, false],
  ['moderator', true, true, false],
  ['admin', true, true, false],
  ['owner', true, true, false],
])('%s may invite where everyone may: %s, where staff may: %s, where no one may: %s', (role, everyone, staff, off) => {
  for (const [inviters, may] of [
    ['everyone', everyone],
    ['staff', staff],
    ['off', off],
  ] as const) {
    expect(mayInvite(role, inviters)).toBe(may)
    expect(permissionsOf(role, inviters) & 0x10000).toBe(may ? 0x10000 : 0)
    expect(permissionsOf(role, inviters) | 0x10000).toBe(ROLES[role].permissions | 0x10000)
  }
})
