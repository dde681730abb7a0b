import { expect, test } from 'vitest'
import { attributesIn } from './attributes.rules.ts'

test.each([
  ['in quotes', `rel="alternate" href='/a b'`, { rel: 'alternate', href: '/a b' }],
  ['without quotes', 'rel=alternate href=/a', { rel: 'alternate', href: '/a' }],
  ['in other letters, with spaces', 'REL = "alternate"', { rel: 'alternate' }],
  ['of a header', '; rel="alternate"; type=text/html', { rel: 'alternate', type: 'text/html' }],
  ['that are there twice', 'rel="alternate" rel="self"', { rel: 'alternate' }],
  ['without a value', 'async rel=""', { rel: '' }],
  ['with names of prototypes', 'constructor="a"', { constructor: 'a' }],
])('attributes %s', (_case, text, attributes) => {
  expect({ ...attributesIn(text) }).toEqual(attributes)
})
