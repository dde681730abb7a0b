import { describe, expect, test } from 'vitest'
import { categoryOf, faultsOf, recategorized, resolution, rowsOfPage } from './report.rules.ts'

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
    ['about spam', { category: 'spam' }, []],
    ['of a legal matter', { category: 'legal' }, []],
    ['of an unknown category', { category: 'rude' }, ['Category is not included in the list']],
    ['with 100 statuses', { statusIds: ids(100) }, []],
    ['with 101 statuses', { statusIds: ids(101) }, ['Statuses are too many (maximum is 100)']],
    ['with 100 rules', { ruleIds: ids(100) }, []],
    ['with 101 rules', { ruleIds: ids(101) }, ['Rule ids does not reference valid rules']],
    ['with a rule that is no id', { ruleIds: ['1', 'x'] }, ['Rule ids does not reference valid rules']],
  ])('%s', (_what, more, faults) => expect(faultsOf({ ...COMPLAINT, ...more })).toEqual(faults))
})

const [EARLIER, NOW] = [new Date(1), new Date(2)]
const OPEN = { actionTakenAt: null, actionTakenById: null }
const DONE = { actionTakenAt: EARLIER, actionTakenById: '1' }

describe('the resolution of a report', () => {
  test.each<[string, typeof OPEN | typeof DONE, { by: string | null; at: Date } | undefined, object]>([
    ['an open one, resolved', OPEN, { by: '1', at: NOW }, { actionTakenAt: NOW, actionTakenById: '1' }],
    ['an open one, by an operator', OPEN, { by: null, at: NOW }, { actionTakenAt: NOW, actionTakenById: null }],
    ['a resolved one, again by the same person', DONE, { by: '1', at: NOW }, {}],
    ['a resolved one, by another', DONE, { by: '2', at: NOW }, { actionTakenAt: NOW, actionTakenById: '2' }],
    ['a resolved one, reopened', DONE, undefined, OPEN],
    ['an open one, reopened', OPEN, undefined, {}],
  ])('of %s', (_case, before, done, change) => expect(resolution(before, done)).toEqual(change))
})

test.each([
  [[], 0],
  [[5000, 1], 1],
  [[999, 1, 1], 2],
  [[1000, 0, 1], 2],
])('of reports with %j statuses a page holds the first %i', (counts, length) =>
  expect(rowsOfPage(counts.map((count) => ({ statusIds: ids(count) })))).toHaveLength(length),
)

const VIOLATION = { category: 'violation', ruleIds: ['1'] }

test.each([
  [VIOLATION, {}, VIOLATION],
  [{ category: 'spam', ruleIds: [] }, {}, { category: 'spam', ruleIds: [] }],
  [VIOLATION, { category: 'spam' }, { category: 'spam', ruleIds: [] }],
  [VIOLATION, { ruleIds: ['2', '2'] }, { category: 'violation', ruleIds: ['2'] }],
  [{ category: 'spam', ruleIds: [] }, { ruleIds: ['2'] }, { category: 'violation', ruleIds: ['2'] }],
  [VIOLATION, { ruleIds: [] }, { category: 'violation', ruleIds: [] }],
])('%j changed by %j is %j', (before, change, after) => expect(recategorized(before, change)).toEqual(after))
