import { Writable } from 'node:stream'
import { createLogger } from '@rookery/runtime'
import { startMailServer, World } from '@rookery/test-world'
import { walksOf } from '@rookery/test-world/walks'
import { expect, test } from 'vitest'
import { takeWalk } from './signed-in/walk.ts'

// Tokens, sign-ins, codes, links and invitations work and end as `signed-in/facts.ts` says, whatever people, apps and staff do, and the
// log has none of them. `WALK_SEED=7,3` walks from the seeds 7, 8 and 9; `WALK_ROUNDS=1000` walks further.

/** An act each. */
const { seeds, rounds } = walksOf([1, 2], 200)
/** After how many acts everything is tried. */
const EVERY = 5

test.each(seeds)(
  'what lets people and apps in works until it ends (seed %i)',
  async (seed) => {
    const lines: string[] = []
    const sink = new Writable({ write: (line, _, done) => done(void lines.push(String(line)) as undefined) })
    const mail = await startMailServer()
    const settings = { SMTP_URL: mail.url.reveal(), CONFIRMATION: 'mail' }
    const world = await World.open({ settings, log: createLogger({ name: 'world', level: 'debug' }, sink) })
    const { faults, acts, values, log, secrets } = await takeWalk(world, mail, { seed, rounds, every: EVERY })
    await world.close()
    await mail.close()
    expect(faults, `${log.slice(-40).join('\n')}\nthe seed is ${seed}`).toEqual([])
    expect([...secrets].filter((secret) => lines.some((line) => line.includes(secret)))).toEqual([])
    expect(acts).toBeGreaterThan(100)
    expect(values).toBeGreaterThan(800)
  },
  Math.max(120_000, rounds * 1000),
)
