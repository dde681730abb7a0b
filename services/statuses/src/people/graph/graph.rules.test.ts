import { expect, test } from 'vitest'
import { languageCode } from '../../content/text/index.ts'
import { followLanguages, maxFollows } from './graph.rules.ts'

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** English of 101 regions. */
const ALL = LETTERS.flatMap((one) => LETTERS.map((other) => `en-${one}${other}`))
  .filter((code) => languageCode(code) === code)
  .slice(0, 101)

test.each([
  [0, 7500],
  [6818, 7500],
  [6819, 7501],
  [10_000, 11_000],
])('with %i followers one may follow %i people', (followers, max) => expect(maxFollows(followers)).toBe(max))

test.each([
  [[], []],
  [
    ['de', 'EN', 'de'],
    ['de', 'en'],
  ],
])('a follow is narrowed from %j to %j', (typed, languages) => expect(followLanguages(typed)).toEqual(languages))

test('a follow is narrowed to no more than 100 languages', () => {
  const typed = ALL.slice(0, 100)
  expect(followLanguages(typed)).toHaveLength(100)
  expect(() => followLanguages(ALL)).toThrow('Languages is invalid')
})

test('a follow is not narrowed to what is no language', () => {
  expect(() => followLanguages(['de', 'xx'])).toThrow('Languages is invalid')
})
