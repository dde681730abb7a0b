import { expect, test } from 'vitest'
import { callWithin } from '../src/call-within.ts'

test('a call outside of requests ends after its seconds', async () => {
  const before = Date.now()
  const { deadline, signal, trace } = callWithin(0.05, 'work')
  expect(trace).toBe('work')
  expect(deadline - before).toBeGreaterThanOrEqual(50)
  expect(signal.aborted).toBe(false)
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  expect(Date.now()).toBeGreaterThanOrEqual(deadline - 1)
})

test('a call outside of requests ends with the signal of its work', () => {
  const work = new AbortController()
  const { signal } = callWithin(60, '', work.signal)
  expect(signal.aborted).toBe(false)
  work.abort()
  expect(signal.aborted).toBe(true)
})
