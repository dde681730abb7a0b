import { describe, expect, test } from 'vitest'
import { isFirstToday, isUnbuilt, oldestDay } from './home.rules.ts'

const NOW = Date.parse('2026-03-31T12:00:00Z')
const row = { floorId: '0', isResting: false, readOn: '2026-03-31' }

test('a home rests after 30 days', () => {
  expect(oldestDay(NOW)).toBe('2026-03-01')
})

describe('a home is built', () => {
  test.each([
    ['when it is read every day', { followsSomeone: true, row }, true],
    ['when it was read 30 days ago', { followsSomeone: true, row: { ...row, readOn: '2026-03-01' } }, true],
    ['not when it was read 31 days ago', { followsSomeone: true, row: { ...row, readOn: '2026-02-28' } }, false],
    ['not while it rests', { followsSomeone: true, row: { ...row, isResting: true } }, false],
    ['not before the first follow was acted on', { followsSomeone: true, row: undefined }, false],
    ['without a row for those who follow no one', { followsSomeone: false, row: undefined }, true],
  ])('%s', (_when, home, isBuilt) => expect(isUnbuilt(home, NOW)).toBe(!isBuilt))
})

test.each([
  ['yesterday', { followsSomeone: true, row: { ...row, readOn: '2026-03-30' } }, true],
  ['today', { followsSomeone: true, row }, false],
  ['never', { followsSomeone: true, row: undefined }, false],
])('a home that was last read %s is read for the first time today: %3$s', (_when, home, expected) =>
  expect(isFirstToday(home, NOW)).toBe(expected),
)
