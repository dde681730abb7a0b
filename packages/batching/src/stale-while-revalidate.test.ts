import { expect, test } from 'vitest'
import { staleWhileRevalidate } from './index.ts'

const opened = (max = 2) => {
  const clock = { now: 0 }
  const values = staleWhileRevalidate<string>({ max, freshFor: 10, ttl: 100, now: () => clock.now })
  return { clock, values }
}
const never = () => Promise.reject(new Error('asked'))
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a fresh value is given and not read again', () => {
  const { values } = opened()
  expect(values.get('a', never)).toBeUndefined()
  values.set('a', 'one')
  expect(values.get('a', never)).toBe('one')
})

test('a value that is no longer fresh is given while a newer one is read once', async () => {
  const { clock, values } = opened()
  values.set('a', 'one')
  clock.now = 10
  let reads = 0
  const read = async () => `read ${++reads}`
  expect([values.get('a', read), values.get('a', read)]).toEqual(['one', 'one'])
  await turn()
  expect([values.get('a', read), reads]).toEqual(['read 1', 1])
})

test('a value stays where reading a newer one fails, until it is too old', async () => {
  const { clock, values } = opened()
  values.set('a', 'one')
  clock.now = 50
  expect(values.get('a', never)).toBe('one')
  await turn()
  expect(values.get('a', never)).toBe('one')
  clock.now = 100
  expect(values.get('a', never)).toBeUndefined()
})

test('a value goes where there is none any more', async () => {
  const { clock, values } = opened()
  values.set('a', 'one')
  clock.now = 10
  expect(values.get('a', async () => undefined)).toBe('one')
  await turn()
  expect(values.get('a', never)).toBeUndefined()
})

test('the key set longest ago goes first', () => {
  const { values } = opened(2)
  for (const key of ['a', 'b', 'a', 'c']) values.set(key, key)
  expect(['a', 'b', 'c'].map((key) => values.get(key, never))).toEqual(['a', undefined, 'c'])
})
