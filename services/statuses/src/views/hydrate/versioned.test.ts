import { cachePool } from '@rookery/cache'
import { beforeEach, describe, expect, it } from 'vitest'
import { type VersionedCache, versionedCache } from './versioned.ts'

type Bird = { id: string; version: number; name: string }
const bird = (id: string, version: number): Bird => ({ id, version, name: `${id} at ${version}` })

/** Pending loads, which the test resolves: each with its ids. */
type Load = { ids: string[]; resolve(birds: Bird[]): void; reject(error: Error): void }
let loads: Load[]
let birds: VersionedCache<Bird>
beforeEach(() => {
  loads = []
  const load = (ids: string[]) => new Promise<Bird[]>((resolve, reject) => loads.push({ ids, resolve, reject }))
  birds = versionedCache(load, cachePool({ maxBytes: 1_000_000 }).cache('birds'))
})

const hydrate = (wanted: Record<string, number>) => birds.hydrate(new Map(Object.entries(wanted)))
const idsOf = () => loads.map(({ ids }) => ids)

describe('records by version', () => {
  it('are loaded in one batch, and come from memory while they are new enough', async () => {
    const first = hydrate({ wren: 1, robin: 2 })
    loads[0]!.resolve([bird('wren', 1), bird('robin', 3)])
    expect([...(await first).values()]).toEqual([bird('wren', 1), bird('robin', 3)])
    expect([...(await hydrate({ wren: 1, robin: 3 })).values()]).toEqual([bird('wren', 1), bird('robin', 3)])
    expect(idsOf()).toEqual([['wren', 'robin']])
  })

  it('are loaded again when a newer version is wanted, and are missing when they are gone', async () => {
    birds.put(bird('wren', 1))
    const wanted = hydrate({ wren: 2, robin: 1 })
    loads[0]!.resolve([bird('wren', 2)])
    expect([...(await wanted)]).toEqual([['wren', bird('wren', 2)]])
  })

  it('are never put over a newer one', async () => {
    birds.put(bird('wren', 2))
    birds.put(bird('wren', 1))
    expect((await hydrate({ wren: 2 })).get('wren')).toEqual(bird('wren', 2))
  })
})

describe('records that are being loaded', () => {
  it('are waited for, and only the others are loaded', async () => {
    const [first, second] = [hydrate({ wren: 1 }), hydrate({ wren: 1, robin: 1 })]
    expect(idsOf()).toEqual([['wren'], ['robin']])
    loads[0]!.resolve([bird('wren', 1)])
    loads[1]!.resolve([bird('robin', 1)])
    expect((await first).size).toBe(1)
    expect((await second).size).toBe(2)
    expect(loads).toHaveLength(2)
  })

  it('are loaded again where the load was sent before the version wanted', async () => {
    const [first, second] = [hydrate({ wren: 1 }), hydrate({ wren: 2 })]
    loads[0]!.resolve([bird('wren', 1)])
    expect((await first).get('wren')).toEqual(bird('wren', 1))
    await expect.poll(idsOf).toEqual([['wren'], ['wren']])
    loads[1]!.resolve([bird('wren', 2)])
    expect((await second).get('wren')).toEqual(bird('wren', 2))
  })

  it('are loaded again where the load did not find them', async () => {
    const [first, second] = [hydrate({ wren: 1 }), hydrate({ wren: 1 })]
    loads[0]!.resolve([])
    expect((await first).size).toBe(0)
    await expect.poll(idsOf).toEqual([['wren'], ['wren']])
    loads[1]!.resolve([bird('wren', 1)])
    expect((await second).size).toBe(1)
  })

  it('are loaded again where the load failed, which fails for who asked first alone', async () => {
    const [first, second] = [hydrate({ wren: 1 }), hydrate({ wren: 1 })]
    loads[0]!.reject(new Error('no connection'))
    await expect(first).rejects.toThrow('no connection')
    await expect.poll(idsOf).toEqual([['wren'], ['wren']])
    loads[1]!.resolve([bird('wren', 1)])
    expect((await second).size).toBe(1)
    expect((await hydrate({ wren: 1 })).size).toBe(1)
    expect(loads).toHaveLength(2)
  })
})
