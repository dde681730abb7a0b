import { expect, test } from 'vitest'
import { roleOf } from './role.rules.ts'

test.each([
  ['', 'user'],
  ['user', 'user'],
  ['moderator', 'moderator'],
  ['admin', 'admin'],
  ['owner', 'owner'],
])('%j is the role %s', (text, role) => expect(roleOf(text)).toBe(role))

test.each(['Owner', 'root', 'toString'])('%s is no role', (text) => {
  expect(() => roleOf(text)).toThrow(`Role ${text} is not user, moderator, admin or owner`)
})
