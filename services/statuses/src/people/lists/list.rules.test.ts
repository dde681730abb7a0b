import { describe, expect, test } from 'vitest'
import { refuseFurtherLists, repliesPolicyOf, titleOf } from './list.rules.ts'

describe('the title of a list', () => {
  test.each([
    ['has no space around it', ' Birds ', 'Birds'],
    ['may have 256 characters', 'a'.repeat(256), 'a'.repeat(256)],
    ['may have 256 characters of two units', '🐦'.repeat(256), '🐦'.repeat(256)],
  ])('%s', (_what, typed, title) => expect(titleOf(typed)).toBe(title))

  test.each([
    ['is not blank', ' ', "Title can't be blank"],
    ['has no more than 256 characters', 'a'.repeat(257), 'Title is too long (maximum is 256 characters)'],
  ])('%s', (_what, typed, message) => expect(() => titleOf(typed)).toThrow(message))
})

test.each([
  ['', 'list'],
  ['followed', 'followed'],
  ['list', 'list'],
  ['none', 'none'],
])('the replies policy %j is %s', (typed, policy) => expect(repliesPolicyOf(typed)).toBe(policy))

test('a replies policy that is none is named', () => {
  expect(() => repliesPolicyOf('some')).toThrow("'some' is not a valid replies_policy")
})

test('one may have 50 lists', () => {
  expect(() => refuseFurtherLists(49)).not.toThrow()
  expect(() => refuseFurtherLists(50)).toThrow('You have reached the maximum number of lists')
})
