import { World } from '@rookery/test-world'
import { walksOf } from '@rookery/test-world/walks'
import { expect, test } from 'vitest'
import type { Picture } from './kept/file-acts.ts'
import { takeWalk } from './kept/walk.ts'
import { animation, corners } from './pictures.ts'

// A file is there, with the bytes and the description that it should have, as long as something shows it or may still show it, and then it is gone.
// `WALK_SEED=7,3` walks from the seeds 7, 8 and 9; `WALK_ROUNDS=1000` walks further.

const { seeds, rounds } = walksOf([1], 90)
/** After how many acts all is compared. */
const EVERY = 8

/** Small ones are their own previews; large ones have smaller ones. */
const pictures = async (): Promise<Picture[]> => [
  { bytes: await corners(8, 8).png().toBuffer(), type: 'image/png' },
  { bytes: await corners(700, 400).jpeg().toBuffer(), type: 'image/jpeg' },
  { bytes: await corners(500, 700).webp().toBuffer(), type: 'image/webp' },
  { bytes: await animation(16, 16, 3), type: 'image/gif' },
]

test.each(seeds)(
  'files are kept as long as something shows them (seed %i)',
  async (seed) => {
    const world = await World.open()
    const { faults, log, values } = await takeWalk(world, { seed, acts: rounds, every: EVERY, pictures: await pictures() })
    await world.close()
    expect(faults.slice(0, 10), `${log.slice(-60).join('\n')}\nthe seed is ${seed}`).toEqual([])
    expect(values).toBeGreaterThan(250)
  },
  600_000,
)
