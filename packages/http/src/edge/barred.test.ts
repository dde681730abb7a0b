import { expect, test } from 'vitest'
import { createBarredNetworks } from './barred.ts'

test('the list is read again after 30 seconds, and at once when the clock was set back', () => {
  let now = 1_700_000_000_000
  let reads = 0
  const read = async () => {
    reads++
    return []
  }
  const barred = createBarredNetworks({ read, now: () => now, log: { warn: () => {} } })
  const readsAfter = (milliseconds: number) => {
    now += milliseconds
    barred.refuse({} as never, {} as never, () => {})
    return reads
  }
  expect([readsAfter(0), readsAfter(29_999), readsAfter(1), readsAfter(-3_600_000), readsAfter(0)]).toEqual([1, 1, 2, 3, 3])
})
