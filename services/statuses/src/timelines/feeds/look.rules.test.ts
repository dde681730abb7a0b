import { describe, expect, test } from 'vitest'
import { firstLook, furthest, nextLook } from './look.rules.ts'

const BOUNDS = { below: '900', above: '100' }

describe('the first look', () => {
  test.each([
    [0, 20],
    [1, 22],
    [20, 60],
    [80, 180],
    [880, 980],
  ])('for %i goes through %i', (count, size) => {
    expect(firstLook({ ...BOUNDS, count, order: 'desc' })).toEqual({ ...BOUNDS, guess: '900', size, count })
  })

  test('is never longer than 5,000', () => {
    expect(firstLook({ ...BOUNDS, count: Number.MAX_SAFE_INTEGER, order: 'desc' })).toMatchObject({ size: 5000, count: 5000 })
  })

  test('guesses nothing: the bound where it begins', () => {
    expect(firstLook({ ...BOUNDS, count: 20, order: 'desc' }).guess).toBe('900')
    expect(firstLook({ ...BOUNDS, count: 20, order: 'asc' }).guess).toBe('100')
  })
})

describe('the next look', () => {
  const look = { ...BOUNDS, guess: '450', size: 60, count: 20 }

  test('goes on behind the last, four times as far, for what is missing', () => {
    expect(nextLook('desc', look, { looked: 60, lookedTo: '500' }, 3)).toEqual({
      below: '500',
      above: '100',
      guess: '500',
      size: 240,
      count: 3,
    })
    expect(nextLook('asc', look, { looked: 60, lookedTo: '500' }, 3)).toEqual({
      below: '900',
      above: '500',
      guess: '500',
      size: 240,
      count: 3,
    })
  })

  test('is not where all was seen', () => {
    expect(nextLook('desc', look, { looked: 59, lookedTo: '500' }, 3)).toBeUndefined()
    expect(nextLook('desc', look, { looked: 0, lookedTo: null }, 20)).toBeUndefined()
  })
})

test.each([
  ['desc', '99', '100', '99'],
  ['desc', '100', '99', '99'],
  ['asc', '99', '100', '100'],
  ['asc', '100', '99', '100'],
  ['desc', '99', undefined, '99'],
  ['asc', '99', undefined, '99'],
] as const)('in %s order the later of %s and %s is %s', (order, one, other, later) => {
  expect(furthest(order, one, other)).toBe(later)
})
