import { readFileSync } from 'node:fs'
import { World } from '@rookery/test-world'
import { afterEach, expect, test } from 'vitest'
import { ALLOWED, faultsAmong } from './reload-allowed.ts'
import type { Client } from './reload-client.ts'
import { type Difference, differencesOf } from './reload-differences.ts'
import { openScene } from './reload-opening.ts'

// What a client may rely on: with its streams open it shows what it would show after a reload, whatever happens, also when it was cut off and
// resumed. RELOAD_SEED sets another seed, RELOAD_ROUNDS a longer run.

const SEEDS = process.env['RELOAD_SEED'] ? [Number(process.env['RELOAD_SEED'])] : [3, 14]
const ROUNDS = Number(process.env['RELOAD_ROUNDS'] ?? 30)
/** Acts before what clients show is compared. */
const TOGETHER = 3

let world: World | undefined
afterEach(() => world?.close())

const textOf = ({ place, kind, id, values, entry }: Difference): string =>
  values ? `${place} ${id}${values}` : `${place} ${kind === 'extra' ? 'has' : 'lacks'} ${entry.type ?? ''} ${id} by ${entry.account?.acct}`

/** What a client shows otherwise than a reload without a reason; it shows the reload from then on. */
const faultsOf = async (client: Client, { world: { clock }, done }: Awaited<ReturnType<typeof openScene>>['scene']): Promise<string[]> => {
  const loaded = await client.reload()
  const differences = differencesOf(client, loaded, clock.now())
  const faults = faultsAmong(differences, { viewer: client.person.id, done, news: client.news })
  client.show(loaded)
  return faults.map((fault) => `${client.person.username}: ${textOf(fault)}`)
}

test.each(SEEDS)(
  'streams leave a client with what a reload shows, whatever 10 people and staff do: seed %i',
  async (seed) => {
    world = await World.open()
    const { scene, clients, act, caughtUp, allSent } = await openScene(world, seed)
    const { random, done } = scene
    for (let round = 0; round < ROUNDS; round++) {
      const away = random.chance(0.15) ? random.of(clients) : undefined
      away?.cut()
      for (let count = 0; count < TOGETHER; count++) await act()
      if (away) {
        if (random.chance(0.5)) await world.idle()
        await away.connect()
        await caughtUp(away)
      }
      await allSent()
      const faults = (await Promise.all(clients.map((client) => faultsOf(client, scene)))).flat()
      const acts = done.splice(0).map(({ text }) => text)
      expect(faults, [`round ${round}${away ? ` without ${away.person.username}` : ''}`, ...acts].join('\n')).toEqual([])
    }
    for (const client of clients) client.cut()
  },
  120_000,
)

test('every difference that is allowed is documented', () => {
  const documented = readFileSync(new URL('../../../docs/streams.md', import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')
  expect(ALLOWED.map(({ sentence }) => sentence).filter((sentence) => !documented.includes(sentence))).toEqual([])
})
