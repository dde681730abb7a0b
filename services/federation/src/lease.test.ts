import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LEASE, withLease } from './lease.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** Takes the lease at 0 and works until `end` is called. `held` lists the expiry times that were stored; null is the release. */
const take = (write: () => Promise<void> = async () => {}) => {
  const held: (number | null)[] = []
  const hold = async (until: Date | null) => {
    await write()
    held.push(until === null ? null : until.getTime())
  }
  const { promise, resolve: end } = Promise.withResolvers<void>()
  let seen: AbortSignal | undefined
  const working = withLease({ clock: { now: () => performance.now() }, hold, signal: undefined }, (signal) => {
    seen = signal
    return promise
  })
  return { held, end, working, isLost: () => seen?.aborted }
}

test('work that goes on keeps its lease, and gives it back at its end', async () => {
  const { held, end, working } = take()
  await vi.advanceTimersByTimeAsync(12_000)
  expect(held).toEqual([5_000 + LEASE, 10_000 + LEASE])
  end()
  await working
  expect(held.at(-1)).toBe(null)
})

test('work that fails gives its lease back', async () => {
  const held: unknown[] = []
  const hold = async (until: Date | null) => void held.push(until)
  const fails = withLease({ clock: { now: () => 0 }, hold, signal: undefined }, () => Promise.reject(new Error('in the way')))
  await expect(fails).rejects.toThrow('in the way')
  expect(held).toEqual([null])
})

test('a lease that cannot be renewed in time is lost: its work is told, and gives nothing back that another may hold', async () => {
  const { held, end, working, isLost } = take(() => Promise.reject(new Error('Postgres is away')))
  await vi.advanceTimersByTimeAsync(14_000)
  expect(isLost()).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isLost()).toBe(true)
  end()
  await working
  expect(held).toEqual([])
})

test('a lease whose renewal gets no answer is lost in time, and its end does not wait for that', async () => {
  const { held, end, working, isLost } = take(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(15_000)
  expect(isLost()).toBe(true)
  end()
  await working
  expect(held).toEqual([])
})

test('a renewal under way comes before the end, not after it', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  const { held, end, working } = take(() => promise)
  await vi.advanceTimersByTimeAsync(5_000)
  end()
  answer()
  await working
  expect(held).toEqual([5_000 + LEASE, null])
})
