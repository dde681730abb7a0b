import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { excessOf, parseJson } from './json.ts'

const refusal = (message: RegExp) => expect.objectContaining({ kind: 'malformed', message: expect.stringMatching(message) })
const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index])))

/** The same with a list for each object all of whose names are integers; `JSON.stringify` writes those in the order of their values. */
const listed = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(listed)
  const members = Object.entries(value).map(([name, member]) => [name, listed(member)] as const)
  const isList = members.length > 0 && members.every(([name]) => /^-?\d+$/.test(name))
  return isList ? members.map(([, member]) => member) : Object.fromEntries(members)
}

describe('a JSON document', () => {
  test.each([
    ['', {}],
    [' \n', {}],
    ['null', {}],
    ['{}', {}],
    ['{"a":[1,"b",null,true,{"c":[]}]}', { a: [1, 'b', null, true, { c: [] }] }],
    ['{"a":"[[[[[[[[[[[[[[[[[[[[[[[[,,,,"}', { a: `${'['.repeat(24)},,,,` }],
    ['{"a\\\\":"b\\"","c":"\\\\\\""}', { 'a\\': 'b"', c: '\\"' }],
    ['{"a":{"420":"1st","69":"2nd", "-9" : "3rd"}}', { a: ['1st', '2nd', '3rd'] }],
    ['{"a":[{"7":{"b":"c"},"0":{}}]}', { a: [[{ b: 'c' }, {}]] }],
    ['{"a":{"7":"b","c":"d"},"5":"e"}', { a: { 7: 'b', c: 'd' }, 5: 'e' }],
    ['{"a":"{\\"7\\":1,\\"0\\":2}","b":{"7":"0\\":"}}', { a: '{"7":1,"0":2}', b: ['0":'] }],
    ['{"a":{"7x\\"8":"b"}}', { a: { '7x"8': 'b' } }],
  ])('%s is read', (text, values) => expect(JSON.parse(JSON.stringify(parseJson(text)))).toEqual(values))

  test.each([
    ['a list', '[]', /JSON object/],
    ['a word', '"a"', /JSON object/],
    ['half of one', '{"a":', /not valid JSON/],
    ['a string without its end', '{"a":"b', /not valid JSON/],
    ['a string that ends in a backslash', '{"a":"b\\', /not valid JSON/],
    ['one with a NUL', '{"a":"\\u0000"}', /NUL/],
    ['one of 2,001 keys', keys(2001), /more than 2000/],
    ['one of 2,001 items', JSON.stringify({ a: Array(2001).fill(1) }), /more than 2000/],
    ['one of 2,001 empty lists', JSON.stringify({ a: Array(2001).fill([]) }), /more than 2000/],
    ['half of a list by number', '{"a":{"0":"b","1', /not valid JSON/],
    ['17 levels', `{"a":${'['.repeat(17)}${']'.repeat(17)}}`, /too deeply/],
  ])('%s is refused', (_case, text, message) => {
    expect(() => parseJson(text)).toThrow(refusal(message))
  })

  test('of as many values as may be is read', () => {
    expect(Object.keys(parseJson(keys(2000)))).toHaveLength(2000)
    expect(() => parseJson(`{"a":${'['.repeat(15)}${']'.repeat(15)}}`)).not.toThrow()
  })

  test('has objects without a prototype', () => {
    const values = parseJson('{"__proto__":{"polluted":1},"a":{"constructor":1}}')
    expect(Object.getPrototypeOf(values)).toBeNull()
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('of hundreds of thousands of keys is refused before it is built', () => {
    const text = keys(85_000)
    /** The fastest of many runs, in milliseconds: other work on the machine only adds to the time. */
    const quickest = (work: () => unknown) =>
      Math.min(
        ...Array.from({ length: 20 }, () => {
          const begun = performance.now()
          work()
          return performance.now() - begun
        }),
      )
    const refused = quickest(() => expect(() => parseJson(text)).toThrow(refusal(/more than 2000/)))
    expect(refused).toBeLessThan(quickest(() => JSON.parse(text)))
  })

  test('gives back what JSON.parse gives, but for lists of members by number', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (document) => {
        const text = JSON.stringify(document)
        if (/\\u0000|\\ud/.test(text)) return
        const values = Object.fromEntries(Object.entries(JSON.parse(text)).map(([name, value]) => [name, listed(value)]))
        expect(JSON.parse(JSON.stringify(parseJson(text)))).toEqual(values)
      }),
    )
  })
})

describe('what a JSON text has too much of', () => {
  const bounds = { values: 3, levels: 2 }
  test.each([
    ['{"a":[1,2]}', undefined],
    ['[1,2,3,4]', 'values'],
    ['[[],[]]', 'values'],
    ['[[[1]]]', 'levels'],
    ['{"a":"[[[[,,,,{{{{"}', undefined],
    ['{"a\\":""[[[,,,,"}', undefined],
    ['"a', undefined],
    [']]]]', undefined],
    ['', undefined],
  ])('%s: %s', (text, excess) => expect(excessOf(text, bounds)).toBe(excess))
})
