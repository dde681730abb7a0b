import { arrived } from './follower-crowd.ts'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { accountIdOf, STAR, tokenOf } from './seed.ts'
import type { Line } from './table.ts'

const ROUNDS = 7

/** Measures the time from a post's request until it is in the last of the followers' feeds. */
export const measureFanOut = async (harness: Harness): Promise<Line> => {
  const { origin, sizes } = harness
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    const statusId = await post(origin, tokenOf(STAR), `to everyone ${round}`)
    // Ranges of followers are written two at a time: these are in the last and the first one.
    for (const follower of [sizes.fans, 1]) {
      await arrived(harness, { accountId: accountIdOf(sizes.people + follower), statusId, every: 1 })
    }
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { what: `a post until ${sizes.fans} followers have it`, p50: times[Math.floor(ROUNDS / 2)]!, p99: times.at(-1)! }
}
