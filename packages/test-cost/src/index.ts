import { expect } from 'vitest'

/** A machine that stands still in the middle of a try counts as processor time, too. It rarely does so three times in a row. */
const TRIES = 3

/** The processor time that work takes until what it returns has settled, in milliseconds. */
export const processorTimeOf = async (work: () => unknown): Promise<number> => {
  const begun = process.cpuUsage()
  await work()
  return process.cpuUsage(begun).user / 1000
}

/**
 * Expects that work takes less than a limit of processor time, in milliseconds, at least at one of three tries. Choose a limit between what
 * the work takes in proportion to its input and what it would take otherwise, far from both: machines differ by a factor of ten. The work is
 * not tried again if it took ten times the limit.
 *
 * @throws an assertion error if no try took less.
 */
export const expectLessProcessorTime = async (limit: number, work: () => unknown): Promise<void> => {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least >= limit; tries++) {
    const taken = await processorTimeOf(work)
    least = Math.min(least, taken)
    if (taken > 10 * limit) break
  }
  expect(least, 'milliseconds of processor time').toBeLessThan(limit)
}
