import { expect, test } from 'vitest'
import { expectLessProcessorTime } from './index.ts'

const spin = (milliseconds: number) => {
  const begun = process.cpuUsage()
  while (process.cpuUsage(begun).user < milliseconds * 1000) for (let turns = 0; turns < 1_000_000; turns++);
}
/** Work that takes these milliseconds, try by try, and the number of its tries. */
const workOf = (...times: number[]) => {
  const work = () => spin(times[work.tries++] ?? times.at(-1)!)
  work.tries = 0
  return work
}

test.each([
  ['work within the limit is tried once', [0], 1],
  ['a slow try is forgiven', [150, 0], 2],
])('%s', async (_which, times, tries) => {
  const work = workOf(...times)
  await expectLessProcessorTime(100, work)
  expect(work.tries).toBe(tries)
})

test.each([
  ['work above the limit fails after three tries', [150], 3],
  ['work far above the limit is not tried again', [1050], 1],
])('%s', async (_which, times, tries) => {
  const work = workOf(...times)
  await expect(expectLessProcessorTime(100, work)).rejects.toThrow('milliseconds of processor time')
  expect(work.tries).toBe(tries)
})

test('the time of what work awaits counts', async () => {
  const work = async () => {
    await Promise.resolve()
    spin(150)
  }
  await expect(expectLessProcessorTime(100, work)).rejects.toThrow('milliseconds of processor time')
})
