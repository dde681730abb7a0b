import { expect, it, vi } from 'vitest'
import { actAtRandom } from './agreement/acts/index.ts'
import { openCast } from './agreement/cast.ts'
import { compareServers } from './agreement/compare/index.ts'
import { startWalk, type Walk } from './agreement/walk.ts'
import type { Fault } from './agreement/wire.ts'

// People of two servers act at random, and then both servers say the same of everyone and of everything posted. WALK_SEED sets another seed,
// WALK_ROUNDS a longer walk. The walk with faults runs only with WALK_FAULTS set: it takes several times as long.
vi.setConfig({ testTimeout: 120_000 })

const ROUNDS = Number(process.env['WALK_ROUNDS'] ?? 4)
const ACTS = 10
const MINUTE = 60_000

/** Everything under way arrives: after a fault by retries, and counts of votes after some minutes. */
const arrives = async ({ cast }: Walk, fault: Fault | undefined) => {
  await cast.idle()
  for (const { wire } of cast.sides) await wire.mend()
  // What arrives only now may put off work by a minute.
  await cast.idle()
  const retries = fault === 'down' ? [20, 20, 20] : []
  for (const minutes of [...retries, 10]) await cast.advance(minutes * MINUTE)
}

const acts = async (walk: Walk, fault: Fault | undefined) => {
  if (fault) walk.cast.sides[walk.random.of([0, 1])]!.wire.fail(fault)
  walk.log.push(fault ?? 'no fault')
  for (let count = 0; count < ACTS; count++) {
    await actAtRandom(walk)
    if (walk.random.chance(0.3)) await walk.cast.advance(1000)
  }
  await arrives(walk, fault)
}

const WALKS: [when: string, seed: number, faults: (Fault | undefined)[]][] = [['when every request arrives', 1, [undefined]]]
if (process.env['WALK_FAULTS'])
  WALKS.push(['though each is away for a while, and deliveries come twice or in another order', 2, ['held', 'down', 'twice']])

it.each(WALKS)('two servers agree on what people did, %s', async (_when, seed, faults) => {
  const cast = await openCast()
  const walk = startWalk(cast, Number(process.env['WALK_SEED'] ?? seed), { hasFaults: faults.length > 1 })
  for (let round = 0; round < ROUNDS; round++) {
    await acts(walk, faults[round % faults.length])
    const { differences, compared } = await compareServers(walk)
    walk.log.push(`compared ${compared}`)
    expect(differences, walk.log.join('\n')).toEqual([])
  }
  await cast.close()
})
