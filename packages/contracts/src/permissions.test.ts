import { describe, expect, test } from 'vitest'
import { mayActOn, mayChangeRole } from './permissions.ts'

const holder = (role: 'user' | 'moderator' | 'admin' | 'owner', accountId: string = role) => ({ accountId, role })

describe('who may act on whom', () => {
  test.each([
    ['moderator', 'user', true],
    ['moderator', 'moderator', false],
    ['moderator', 'admin', false],
    ['moderator', 'owner', false],
    ['admin', 'moderator', true],
    ['admin', 'admin', false],
    ['admin', 'owner', false],
    ['owner', 'admin', true],
    ['owner', 'owner', false],
    ['user', 'user', false],
  ] as const)('%s on another %s: %s', (actor, target, may) => expect(mayActOn(holder(actor, '1'), holder(target, '2'))).toBe(may))

  test.each(['user', 'moderator', 'admin', 'owner'] as const)('an operator on any %s', (role) =>
    expect(mayActOn(undefined, holder(role))).toBe(true),
  )

  test('no one on themselves, also while their role changes', () => expect(mayActOn(holder('owner', '1'), holder('user', '1'))).toBe(false))
})

test.each([
  [undefined, 'owner', 'user', true],
  ['owner', 'owner', 'user', true],
  ['owner', 'user', 'owner', true],
  ['admin', 'user', 'moderator', true],
  ['admin', 'moderator', 'user', true],
  ['admin', 'user', 'admin', false],
  ['admin', 'admin', 'user', false],
  ['admin', 'owner', 'user', false],
  ['moderator', 'user', 'moderator', false],
] as const)('a role of %s makes someone whose role is %s a %s: %s', (actor, target, role, may) =>
  expect(mayChangeRole(actor && { accountId: '1', role: actor }, { accountId: '2', role: target }, role)).toBe(may),
)
