import { describe, expect, test } from 'vitest'
import { faultsOf, nextMoment, stateOf } from './announcement.rules.ts'

const NOW = 1_000_000
const at = (offset: number) => new Date(NOW + offset)

describe.each([
  ['that no one wants shown', { publishAt: null, endsAt: null }, 'unpublished', undefined],
  ['that no one wants shown, with an end', { publishAt: null, endsAt: at(9) }, 'unpublished', undefined],
  ['shown without an end', { publishAt: at(-1), endsAt: null }, 'published', undefined],
  ['shown from this moment on', { publishAt: at(0), endsAt: null }, 'published', undefined],
  ['shown until its end', { publishAt: at(-1), endsAt: at(9) }, 'published', at(9)],
  ['that ends at this moment', { publishAt: at(-9), endsAt: at(0) }, 'ended', undefined],
  ['whose end has passed', { publishAt: at(-9), endsAt: at(-1) }, 'ended', undefined],
  ['that waits', { publishAt: at(1), endsAt: null }, 'scheduled', at(1)],
  ['that waits and will end', { publishAt: at(1), endsAt: at(9) }, 'scheduled', at(1)],
])('an announcement %s', (_what, schedule, state, next) => {
  test(`is ${state}`, () => expect(stateOf(schedule, NOW)).toBe(state))
  test(`changes ${next ? `at ${next.getTime()}` : 'no more'}`, () => expect(nextMoment(schedule, NOW)).toEqual(next))
})

test.each([
  ['with a text', { text: 'tea' }, []],
  ['without a text', { text: ' \n' }, ["Text can't be blank"]],
  ['with 5000 characters of two units', { text: '🍵'.repeat(5000) }, []],
  ['with 5001 characters', { text: 'a'.repeat(5001) }, ['Text is too long (maximum is 5000 characters)']],
  ['that ends after it starts', { startsAt: at(1), endsAt: at(2) }, []],
  ['that ends when it starts', { startsAt: at(1), endsAt: at(1) }, ['Ends at must be after starts at']],
  ['that has started', { startsAt: at(-1), endsAt: at(2) }, []],
  ['that would have ended', { startsAt: null, endsAt: at(0) }, ['Ends at must be in the future']],
])('the faults of an announcement %s', (_what, draft, faults) => {
  expect(faultsOf({ text: 'tea', startsAt: null, endsAt: null, ...draft }, { now: NOW, isEndNew: true })).toEqual(faults)
})

test('one that has ended may change without another end', () => {
  expect(faultsOf({ text: 'tea', startsAt: null, endsAt: at(-1) }, { now: NOW, isEndNew: false })).toEqual([])
})
