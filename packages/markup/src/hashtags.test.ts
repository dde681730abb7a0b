import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseTag, soughtTag } from './index.ts'

const NAMES: [typed: string, name: string | undefined][] = [
  ['Tea', 'tea'],
  ['#Tea', 'tea'],
  ['Ünïcødé', 'unicode'],
  ['e\u0301te\u0301', 'ete'],
  ['ＣＡＦÉ', 'cafe'],
  ['İstanbul', 'istanbul'],
  ['Łódź', 'lodz'],
  ['tiếngViệt', 'tiengviet'],
  ['straße', 'straße'],
  ['Ёлка', 'ёлка'],
  ['हिन्दी', 'हिन्दी'],
  ['ไทย', 'ไทย'],
  ['ガ', 'ガ'],
  ['か\u3099', 'が'],
  ['العربية', 'العربية'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['a\ufe0fb', 'ab'],
  ['𝒜𝒷', 'ab'],
  ['1_2', '1_2'],
  ['2024', undefined],
  ['___', undefined],
  ['tea·', undefined],
  ['tea time', undefined],
  ['tea-time', undefined],
  ['a\ufc5fa', 'aa'],
  ['\ufe7aa', 'a'],
  ['\u3164', undefined],
  ['', undefined],
  ['#', undefined],
  ['a'.repeat(256), undefined],
  ['\ufdfa'.repeat(20), undefined],
]

describe('normaliseTag', () => {
  it.each(NAMES)('makes of %j %j', (typed, name) => expect(normaliseTag(typed)).toBe(name))

  it('leaves a normalised name as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), (typed) => {
        const name = normaliseTag(typed)
        fc.pre(name !== undefined)
        expect(normaliseTag(name!)).toBe(name)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('soughtTag', () => {
  it.each([
    ['Tea', 'tea'],
    ['#Tea', 'tea'],
    [':tea', 'tea'],
    ['tea ', 'tea'],
    ['tea-time', 'teatime'],
    ['tea·', 'tea'],
    ['#️⃣tea', 'tea'],
    ['Ünï-cødé', 'unicode'],
    ['2-0-2-4', undefined],
    ['#', undefined],
    ['', undefined],
    ['a'.repeat(256), undefined],
  ])('makes of %j %j', (typed, name) => expect(soughtTag(typed)).toBe(name))

  it('is the name of each valid tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), (typed) => {
        const name = normaliseTag(typed)
        fc.pre(name !== undefined)
        expect(soughtTag(typed)).toBe(name)
      }),
      { numRuns: 2000 },
    )
  })
})
