import { World } from '@rookery/test-world'
import { walksOf } from '@rookery/test-world/walks'
import { expect, test } from 'vitest'
import { takeWalk } from './staffed/walk.ts'

// All that staff decide is what everyone is shown of it, and is gone once it is taken back. `staffed/areas.ts` lists what staff and people do.
// `WALK_SEED=7,3` walks from the seeds 7, 8 and 9; `WALK_ROUNDS=100` walks further.

/** Four acts at most each. */
const { seeds, rounds } = walksOf([2], 30)
/** After how many rounds all is compared. */
const EVERY = 6

test.each(seeds)(
  'what staff decide is what everyone is shown, until they take it back (seed %i)',
  async (seed) => {
    const world = await World.open({ settings: { TRUSTED_PROXIES: '127.0.0.1', INSTANCE_RULES: 'Be kind' } })
    const { faults, acts, values, log } = await takeWalk(world, { seed, rounds, every: EVERY })
    await world.close()
    expect(faults.slice(0, 20), `${log.join('\n')}\nthe seed is ${seed}`).toEqual([])
    expect(acts).toBeGreaterThan(40)
    expect(values).toBeGreaterThan(2000)
  },
  120_000,
)
