import { expect, test } from 'vitest'
import { pageWithin, rowsWithin } from './page.ts'

const SIZES = { standard: 20, max: 40 }

test.each([
  [0, 0],
  [1, 1],
  [40, 40],
  [41, 40],
  [2 ** 31 - 1, 40],
  [-5, 5],
  [-(2 ** 31), 40],
  [1.5, 1],
  [Number.NaN, 0],
  [Number.POSITIVE_INFINITY, 40],
])('of %d rows %d are read', (limit, rows) => expect(rowsWithin(SIZES, limit)).toBe(rows))

test('a page that no one described is the standard one; cursors stay', () => {
  expect(pageWithin(SIZES, undefined)).toEqual({ limit: 20 })
  expect(pageWithin(SIZES, { limit: 99, maxId: '7' })).toEqual({ limit: 40, maxId: '7' })
})
