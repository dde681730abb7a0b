import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from '../src/throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const onError = (error: unknown) => {
  throw error
}

test('many calls within a while make one run at once and one more when it is over', () => {
  const runs: number[] = []
  const begun = Date.now()
  const throttled = throttle(20, () => runs.push(Date.now() - begun), onError)
  for (let call = 0; call < 100; call++) throttled.run()
  vi.advanceTimersByTime(1)
  expect(runs).toEqual([0])
  for (let call = 0; call < 100; call++) throttled.run()
  expect(throttled.isWaiting).toBe(true)
  vi.advanceTimersByTime(100)
  expect(runs).toEqual([0, 20])
  expect(throttled.isWaiting).toBe(false)
})

test('the first call runs with the next turn of the event loop', async () => {
  vi.useRealTimers()
  const runs: string[] = []
  const throttled = throttle(20, () => runs.push('run'), onError)
  throttled.run()
  expect(runs).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(runs).toEqual(['run'])
})

test('runs in time also where the clock was set back meanwhile', () => {
  const runs: string[] = []
  const throttled = throttle(20, () => runs.push('run'), onError)
  throttled.run()
  vi.advanceTimersByTime(1)
  vi.setSystemTime(Date.now() - 3_600_000)
  throttled.run()
  vi.advanceTimersByTime(20)
  expect(runs).toEqual(['run', 'run'])
})

test('what was stopped does not run', () => {
  const runs: string[] = []
  const throttled = throttle(20, () => runs.push('run'), onError)
  throttled.run()
  throttled.stop()
  vi.advanceTimersByTime(100)
  expect(runs).toEqual([])
})

test('runs outside of the context of its caller', () => {
  const context = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const throttled = context.run('maker', () => throttle(20, () => seen.push(context.getStore()), onError))
  context.run('caller', throttled.run)
  vi.advanceTimersByTime(100)
  expect(seen).toEqual(['maker'])
})
