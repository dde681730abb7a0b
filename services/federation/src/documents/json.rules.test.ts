import { expect, test } from 'vitest'
import { jsonObjectOf } from './json.rules.ts'

const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
const items = (count: number) => JSON.stringify({ to: Array.from({ length: count }, String) })

test.each([
  ['an object', '{"a":[1]}'],
  ['a thousand recipients', items(1000)],
  ['32 levels', nested(32)],
  ['names of prototypes', '{"__proto__":1}'],
])('%s is read', (_, text) => expect(jsonObjectOf(Buffer.from(text))).toEqual(JSON.parse(text)))

test.each([
  ['nothing', ''],
  ['a list', '[]'],
  ['a word', '"a"'],
  ['null', 'null'],
  ['half of one', '{"a":'],
  ['33 levels', nested(33)],
  ['half a million levels', nested(500_000)],
  ['30,000 recipients', items(30_000)],
])('%s is no object', (_, text) => expect(jsonObjectOf(Buffer.from(text))).toBeUndefined())
