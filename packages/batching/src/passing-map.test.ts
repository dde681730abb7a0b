import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PassingMap } from './passing-map.ts'

test('holds what a map holds, whatever comes and goes', () => {
  const act = fc.record({ isNew: fc.boolean(), key: fc.nat(90), value: fc.nat() })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 1000 }), (acts) => {
      const [passing, plain] = [new PassingMap<number, number>(), new Map<number, number>()]
      for (const { isNew, key, value } of acts) {
        if (isNew) passing.set(key, value)
        else passing.delete(key)
        if (isNew) plain.set(key, value)
        else plain.delete(key)
        expect([passing.has(key), passing.get(key), passing.size]).toEqual([plain.has(key), plain.get(key), plain.size])
      }
      const keys = Array.from({ length: 91 }, (_, key) => key)
      expect(keys.map((key) => passing.get(key))).toEqual(keys.map((key) => plain.get(key)))
      expect([...passing]).toEqual([...plain])
    }),
  )
})

test('visits each entry once when an iteration deletes what it visits', () => {
  const passing = new PassingMap<number, string>()
  const keys = Array.from({ length: 500 }, (_, key) => key)
  for (const key of keys) passing.set(key, 'here')
  const given: number[] = []
  for (const [key] of passing) {
    given.push(key)
    passing.delete(key)
  }
  expect([given, passing.size]).toEqual([keys, 0])
})
