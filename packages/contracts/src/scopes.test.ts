import { expect, test } from 'vitest'
import { covers } from './scopes.ts'

test.each([
  [['read'], 'read:accounts', true],
  [['read:accounts'], 'read', false],
  [['read:accounts'], 'read:accounts', true],
  [['write'], 'read:accounts', false],
  [['write'], 'write:statuses', true],
  [['write'], 'admin:write', false],
  [['read'], 'admin:read', false],
  [['write'], 'admin:write:reports', false],
  [['admin:write'], 'admin:write:reports', true],
  [['admin:write'], 'write:reports', false],
  [['admin:read'], 'admin:write:accounts', false],
  [['follow'], 'write:follows', true],
  [['follow'], 'write:statuses', false],
  [['push'], 'read', false],
  [[], 'read', false],
])('a token of %j covers %s: %s', (granted, wanted, isCovered) => {
  expect(covers(granted, wanted)).toBe(isCovered)
})
