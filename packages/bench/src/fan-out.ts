import { setTimeout as pause } from 'node:timers/promises'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { accountIdOf, STAR, tokenOf } from './seed.ts'
import type { Line } from './table.ts'

const ROUNDS = 7

/** Until a status is in a feed. */
const arrived = async ({ client }: Harness, accountId: string, statusId: string) => {
  for (;;) {
    const found = await client.query('select 1 from statuses.feed where account_id = $1 and status_id = $2', [accountId, statusId])
    if (found.rowCount) return
    await pause(1)
  }
}

/** From the request to the last of the followers' feeds. */
export const measureFanOut = async (harness: Harness): Promise<Line> => {
  const { origin, sizes } = harness
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    const id = await post(origin, tokenOf(STAR), `to everyone ${round}`)
    // Ranges of followers are written two at a time: these are in the last and in the first of them.
    for (const follower of [sizes.fans, 1]) await arrived(harness, accountIdOf(sizes.people + follower), id)
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { what: `a post until ${sizes.fans} followers have it`, p50: times[Math.floor(ROUNDS / 2)]!, p99: times.at(-1)! }
}
