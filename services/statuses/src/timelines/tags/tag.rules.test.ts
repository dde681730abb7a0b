import { expect, test } from 'vitest'
import { tagOf } from './tag.rules.ts'

test.each([
  ['Birds', { name: 'birds', display: 'Birds' }],
  ['#Birds', { name: 'birds', display: 'Birds' }],
  ['＃Birds', { name: 'birds', display: 'Birds' }],
  ['no tag', undefined],
  ['123', undefined],
  ['', undefined],
])('%j is the tag %j', (typed, tag) => expect(tagOf(typed)).toEqual(tag))
