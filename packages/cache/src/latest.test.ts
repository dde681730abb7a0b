import { expect, test } from 'vitest'
import { latest } from './latest.ts'

test('of more values than are kept those go that were set longest ago', () => {
  const kept = latest<number>(2)
  kept.set('a', 1)
  kept.set('b', 2)
  kept.set('a', 3)
  kept.set('c', 4)
  expect(['a', 'b', 'c'].map(kept.get)).toEqual([3, undefined, 4])
})
