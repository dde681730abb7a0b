import { expect, test } from 'vitest'
import { refuseMove } from './move.rules.ts'

const THERE = { id: '2', movedToId: null, isAlias: true }

test('an account that names this one as an alias may be moved to', () => {
  expect(refuseMove('1', THERE)).toBe(THERE)
})

test.each([
  ['one that is not here', undefined, 'ERR_UNKNOWN', 'is not the handle of an account'],
  ['the account itself', { ...THERE, id: '1' }, 'ERR_SELF', 'is the account itself'],
  ['one that names no alias', { ...THERE, isAlias: false }, 'ERR_NOT_NAMED', 'does not name this account as an alias'],
  ['one that has moved', { ...THERE, movedToId: '3' }, 'ERR_MOVED', 'has moved itself'],
])('no one moves to %s', (_whom, destination, code, description) => {
  expect(() => refuseMove('1', destination)).toThrow(
    expect.objectContaining({
      kind: 'invalid',
      message: `Validation failed: Handle ${description}`,
      violations: [{ field: 'acct', code, description }],
    }),
  )
})
