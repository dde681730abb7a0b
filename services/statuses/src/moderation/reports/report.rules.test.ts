import { describe, expect, test } from 'vitest'
import { categoryOf, faultsOf } from './report.rules.ts'

const COMPLAINT = { statusIds: [] as string[], comment: '', category: '', ruleIds: [] as string[] }
const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))

test.each([
  ['', [], 'other'],
  ['spam', [], 'spam'],
  ['', ['1'], 'violation'],
  ['spam', ['1'], 'violation'],
])('a report of category %j that names the rules %j is %s', (category, ruleIds, expected) =>
  expect(categoryOf({ category, ruleIds })).toBe(expected),
)

describe('the faults of a report', () => {
  test.each([
    ['with nothing', {}, []],
    ['with 1000 characters of two units', { comment: '🐦'.repeat(1000) }, []],
    ['with 1000 characters', { comment: 'a'.repeat(1000) }, []],
    ['with 1001 characters', { comment: 'a'.repeat(1001) }, ['Comment is too long (maximum is 1000 characters)']],
    ['of a legal matter', { category: 'legal' }, []],
    ['of an unknown category', { category: 'rude' }, ['Category is not included in the list']],
    ['with 100 statuses', { statusIds: ids(100) }, []],
    ['with 101 statuses', { statusIds: ids(101) }, ['Statuses are too many (maximum is 100)']],
    ['with 100 rules', { ruleIds: ids(100) }, []],
    ['with 101 rules', { ruleIds: ids(101) }, ['Rule ids does not reference valid rules']],
    ['with a rule that is no id', { ruleIds: ['1', 'x'] }, ['Rule ids does not reference valid rules']],
  ])('%s', (_what, more, faults) => expect(faultsOf({ ...COMPLAINT, ...more })).toEqual(faults))
})
