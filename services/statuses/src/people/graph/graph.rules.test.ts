import { expect, test } from 'vitest'
import { followLanguages, mostFollows } from './graph.rules.ts'

test.each([
  [0, 7500],
  [6818, 7500],
  [6819, 7501],
  [10_000, 11_000],
])('with %i followers one may follow %i people', (followers, most) => expect(mostFollows(followers)).toBe(most))

test.each([
  [[], []],
  [
    ['de', 'EN', 'de'],
    ['de', 'en'],
  ],
])('a follow is narrowed from %j to %j', (typed, languages) => expect(followLanguages(typed)).toEqual(languages))

test('a follow is not narrowed to what is no language', () => {
  expect(() => followLanguages(['de', 'xx'])).toThrow('Languages is invalid')
})
