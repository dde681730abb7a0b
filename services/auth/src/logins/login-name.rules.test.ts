import { expect, test } from 'vitest'
import { usernameIn } from './login-name.rules.ts'

test.each([
  ['mara', 'mara'],
  ['@mara', 'mara'],
  ['Mara_2', 'Mara_2'],
  ['@mara@birds.example:8443', 'mara'],
  ['mara@Birds.Example:8443', 'mara'],
  ['mara@birds.example', undefined],
  ['@mara@elsewhere.example', undefined],
  ['mara@example.com', undefined],
  ['', undefined],
  ['@', undefined],
  ['@@mara', undefined],
  ['ma ra', undefined],
  ['a'.repeat(31), undefined],
])('the username in %j is %j', (typed, username) => expect(usernameIn(typed, 'birds.example:8443')).toBe(username))
