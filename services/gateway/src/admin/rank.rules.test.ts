import { ROLES } from '@rookery/contracts/permissions'
import { expect, test } from 'vitest'
import type { AdminAccount } from './entities.ts'
import { roleNamed, roleOf, rolesToGive } from './rank.rules.ts'

const holder = (role: 'user' | 'moderator' | 'admin' | 'owner', accountId: string = role) => ({ role, accountId })

test('owners give every role, also to themselves; others those below their own to those below them', () => {
  expect(rolesToGive(holder('owner'), holder('owner'))).toEqual(['user', 'moderator', 'admin', 'owner'])
  expect(rolesToGive(holder('admin'), holder('user'))).toEqual(['user', 'moderator'])
  expect(rolesToGive(holder('admin'), holder('admin', 'another'))).toEqual([])
})

test.each([
  ['owner', 'owner'],
  ['user', 'user'],
  ['constructor', 'user'],
  ['', 'user'],
])('%j is the name of the role %s', (name, role) => expect(roleNamed(name)).toBe(role))

test.each(['user', 'moderator', 'admin', 'owner'] as const)('an account with the role of %s has that role', (name) =>
  expect(roleOf({ role: { id: ROLES[name].id } } as Pick<AdminAccount, 'role'>)).toBe(name),
)

test.each([[null], [{ id: '-1' }]])('an account with the role %j is a user', (role) =>
  expect(roleOf({ role } as Pick<AdminAccount, 'role'>)).toBe('user'),
)
