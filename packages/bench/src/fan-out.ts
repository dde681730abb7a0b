import { setTimeout as pause } from 'node:timers/promises'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { accountIdOf, STAR, tokenOf } from './seed.ts'
import type { Line } from './table.ts'

const ROUNDS = 7

/** From the request to the last of the followers' feeds. */
export const measureFanOut = async ({ origin, client, sizes }: Harness): Promise<Line> => {
  const lastFollower = accountIdOf(sizes.people + sizes.fans)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    const id = await post(origin, tokenOf(STAR), `to everyone ${round}`)
    // The last follower's row is committed with all the others of the chunk.
    for (;;) {
      const found = await client.query('select 1 from statuses.feed where account_id = $1 and status_id = $2', [lastFollower, id])
      if (found.rowCount) break
      await pause(1)
    }
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { what: `a post until ${sizes.fans} followers have it`, p50: times[Math.floor(ROUNDS / 2)]!, p99: times.at(-1)! }
}
