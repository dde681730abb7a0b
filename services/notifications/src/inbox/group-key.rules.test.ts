import { expect, test } from 'vitest'
import { groupKeyOf } from './group-key.rules.ts'

const HALF_A_DAY = 12 * 3_600_000

test.each([
  ['favourite', '7', 0, 'favourite-7-0'],
  ['favourite', '7', HALF_A_DAY - 1, 'favourite-7-0'],
  ['favourite', '7', HALF_A_DAY, 'favourite-7-1'],
  ['favourite', '8', 0, 'favourite-8-0'],
  ['reblog', '7', 0, 'reblog-7-0'],
  ['follow', undefined, HALF_A_DAY, 'follow-1'],
  ['admin.sign_up', null, 0, 'admin.sign_up-0'],
  ['mention', '7', 0, undefined],
  ['poll', '7', 0, undefined],
])('a notification of %s about %s at %i is in the group %s', (type, statusId, at, key) => {
  expect(groupKeyOf({ type, statusId, at })).toBe(key)
})
