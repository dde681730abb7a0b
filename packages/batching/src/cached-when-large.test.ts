import { expect, test } from 'vitest'
import { cachedWhenLarge } from './index.ts'

/** A counter whose count the test changes, and how often it was counted. */
const counting = () => {
  const state = { now: 0, count: 5, reads: 0 }
  const cached = cachedWhenLarge<number>({ max: 2, now: () => state.now, isLarge: (count) => count > 100 })
  const read = async () => {
    state.reads++
    return state.count
  }
  return { state, value: (key = 'a') => cached(key, read) }
}

test('a small value is read each time', async () => {
  const { state, value } = counting()
  expect(await value()).toBe(5)
  state.count = 6
  expect(await value()).toBe(6)
})

test('a large value is read once while it is fresh, for each key', async () => {
  const { state, value } = counting()
  state.count = 500
  expect(await value()).toBe(500)
  state.count = 501
  expect([await value(), await value('b')]).toEqual([500, 501])
  expect(state.reads).toBe(2)
})

test('a stale value is given while a newer one is read', async () => {
  const { state, value } = counting()
  state.count = 500
  await value()
  state.count = 501
  state.now = 60_000
  expect(await value()).toBe(500)
  expect(await value()).toBe(501)
})

test('those who ask for a large value for the first time share one read', async () => {
  const { state, value } = counting()
  state.count = 500
  expect(await Promise.all([value(), value(), value()])).toEqual([500, 500, 500])
  expect(state.reads).toBe(1)
})
