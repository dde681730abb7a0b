import { World } from '@rookery/test-world'
import { walksOf } from '@rookery/test-world/walks'
import { expect, test } from 'vitest'
import { takeWalk } from './timed/walk.ts'

// What begins or ends with time does so for everyone, once, and no sooner. `WALK_SEED=7,3` walks from the seeds 7, 8 and 9; `WALK_ROUNDS=1000` walks
// further.

const { seeds, rounds } = walksOf([1], 100)
/** After how many acts all is compared. */
const EVERY = 5

test.each(seeds)(
  'what is to begin or end does so when its time comes (seed %i)',
  async (seed) => {
    const world = await World.open()
    const { faults, log, values } = await takeWalk(world, { seed, acts: rounds, every: EVERY })
    await world.close()
    expect(faults.slice(0, 10), `${log.slice(-60).join('\n')}\nthe seed is ${seed}`).toEqual([])
    expect(values).toBeGreaterThan(500)
  },
  600_000,
)
