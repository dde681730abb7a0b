import { setTimeout as pause } from 'node:timers/promises'
import type { Harness } from './harness.ts'
import { post } from './post.ts'
import { SIZES, STAR, tokenOf } from './seed.ts'
import type { Line } from './table.ts'

const ROUNDS = 7

/** From the request to the last of the followers' feeds. */
export const measureFanOut = async ({ origin, client }: Harness): Promise<Line> => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    const id = await post(origin, tokenOf(STAR), `to everyone ${round}`)
    // The last follower's row is committed with all the others of the chunk.
    for (;;) {
      const found = await client.query('select 1 from statuses.feed where account_id = $1 and status_id = $2', [LAST_FOLLOWER, id])
      if (found.rowCount) break
      await pause(1)
    }
    times.push(performance.now() - startedAt)
  }
  times.sort((a, b) => a - b)
  return { what: `a post until ${SIZES.fans} followers have it`, p50: times[Math.floor(ROUNDS / 2)]!, p99: times.at(-1)! }
}

const LAST_FOLLOWER = String(7_000_000_000_000_000n + BigInt(SIZES.people + SIZES.fans))
