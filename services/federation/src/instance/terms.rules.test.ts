import { expect, test } from 'vitest'
import { currentTerms, termsFaults } from './terms.rules.ts'

const TODAY = '2026-11-22'

test.each([
  [{ effectiveOn: TODAY, text: 'be kind' }, []],
  [{ effectiveOn: '2026-11-21', text: 'be kind' }, ['Effective date must be today or later']],
  [{ effectiveOn: 'soon', text: ' ' }, ["Text can't be blank", 'Effective date is invalid']],
  [{ effectiveOn: TODAY, text: 'x'.repeat(50_000) }, []],
  [{ effectiveOn: TODAY, text: 'x'.repeat(50_001) }, ['Text is too long (maximum is 50000 characters)']],
])('of %j this is wrong: %j', (version, faults) => expect(termsFaults(version, TODAY, 99)).toEqual(faults))

test('there are a hundred versions at most', () =>
  expect(termsFaults({ effectiveOn: TODAY, text: 'be kind' }, TODAY, 100)).toEqual(['There are 100 versions already']))

test.each([
  [[], undefined],
  [['2027-01-01', '2027-02-01'], '2027-01-01'],
  [['2026-01-01', '2026-11-22', '2027-01-01'], '2026-11-22'],
])('of the versions %j the one of %s holds', (days, day) =>
  expect(
    currentTerms(
      days.map((effectiveOn) => ({ effectiveOn })),
      TODAY,
    )?.effectiveOn,
  ).toBe(day),
)
