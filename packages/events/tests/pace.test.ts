import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pace } from '../src/pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const onError = (error: unknown) => {
  throw error
}

test('many calls within a while make one run at once and one more when it is over', () => {
  const runs: number[] = []
  const begun = Date.now()
  const paced = pace(20, () => runs.push(Date.now() - begun), onError)
  for (let call = 0; call < 100; call++) paced.run()
  vi.advanceTimersByTime(1)
  expect(runs).toEqual([0])
  for (let call = 0; call < 100; call++) paced.run()
  expect(paced.isWaiting).toBe(true)
  vi.advanceTimersByTime(100)
  expect(runs).toEqual([0, 20])
  expect(paced.isWaiting).toBe(false)
})

test('what was stopped does not run', () => {
  const runs: string[] = []
  const paced = pace(20, () => runs.push('run'), onError)
  paced.run()
  paced.stop()
  vi.advanceTimersByTime(100)
  expect(runs).toEqual([])
})

test('runs outside of the context of whoever called', () => {
  const context = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const paced = context.run('maker', () => pace(20, () => seen.push(context.getStore()), onError))
  context.run('caller', paced.run)
  vi.advanceTimersByTime(100)
  expect(seen).toEqual(['maker'])
})
