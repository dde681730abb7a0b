import { expect, test } from 'vitest'
import { refuseFurtherTags } from './featured-tag.rules.ts'

test('one may feature ten tags', () => {
  expect(() => refuseFurtherTags(9)).not.toThrow()
  expect(() => refuseFurtherTags(10)).toThrow('You have already featured the maximum number of hashtags')
})
