import { expect, test } from 'vitest'
import { rolesToGive } from './rank.rules.ts'

const holder = (role: 'user' | 'moderator' | 'admin' | 'owner', accountId: string = role) => ({ role, accountId })

test('owners give every role, also to themselves; others those below their own to those below them', () => {
  expect(rolesToGive(holder('owner'), holder('owner'))).toEqual(['user', 'moderator', 'admin', 'owner'])
  expect(rolesToGive(holder('admin'), holder('user'))).toEqual(['user', 'moderator'])
  expect(rolesToGive(holder('admin'), holder('admin', 'another'))).toEqual([])
})
