import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('what is made of the same thing twice in a row is made once, and of an equal one again', () => {
  const made: object[] = []
  const make = memoize((thing: object) => made.push(thing))
  const [one, other] = [{ id: 1 }, { id: 1 }]
  expect([make(one), make(one), make(other), make(other), make(one)]).toEqual([1, 1, 2, 2, 3])
  expect(made).toEqual([one, other, one])
})

test('so many of the last are remembered', () => {
  const make = memoize((thing: object) => ({ of: thing }), 2)
  const [one, two, three] = [{}, {}, {}]
  const [first, second] = [make(one), make(two)]
  expect([make(one) === first, make(two) === second]).toEqual([true, true])
  make(three)
  expect(make(two)).toBe(second)
  expect(make(one)).not.toBe(first)
})
