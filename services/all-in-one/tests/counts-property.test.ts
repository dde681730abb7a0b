import { World } from '@rookery/test-world'
import { walksOf } from '@rookery/test-world/walks'
import { expect, test } from 'vitest'
import { takeWalk } from './counted/walk.ts'

// All that the API counts and remembers of acts agrees with what was acknowledged. `counted/facts.ts` says what is remembered, `counted/shown.ts` what
// is shown of it. `WALK_SEED=7,3` walks from the seeds 7, 8 and 9.

/** Eight acts at most each. */
const { seeds, rounds } = walksOf([1, 2], 45)
/** After how many rounds all is compared. */
const EVERY = 9

test.each(seeds)(
  'counts, lists, flags and relationships are those of the acts that were acknowledged (seed %i)',
  async (seed) => {
    const world = await World.open()
    const { faults, acts, values, log } = await takeWalk(world, { seed, rounds, every: EVERY })
    await world.close()
    expect(faults, `${log.join('\n')}\nthe seed is ${seed}`).toEqual([])
    expect(acts).toBeGreaterThan(100)
    expect(values).toBeGreaterThan(3000)
  },
  120_000,
)
