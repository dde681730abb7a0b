import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batching, singleFlight } from './index.ts'

const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('keys asked for while a load is under way share the next one', async () => {
  const loads: string[][] = []
  const first = gate()
  const read = batching(async (keys: string[]) => {
    loads.push(keys)
    if (loads.length === 1) await first.opened
    return new Map(keys.map((key) => [key, key.toUpperCase()]))
  })
  const a = read('a')
  await turn()
  const others = [read('b'), read('c'), read('b')]
  first.open()
  expect(await Promise.all([a, ...others])).toEqual(['A', 'B', 'C', 'B'])
  expect(loads).toEqual([['a'], ['b', 'c']])
})

test('the next load is under way before those go on who waited for the last', async () => {
  const loads: string[][] = []
  const first = gate()
  const read = batching(async (keys: string[]) => {
    loads.push(keys)
    if (loads.length === 1) await first.opened
    return new Map(keys.map((key) => [key, key]))
  })
  const seenByFirst = read('a').then(() => loads.length)
  await turn()
  const second = read('b')
  first.open()
  expect([await seenByFirst, await second]).toEqual([2, 'b'])
})

/** Calls `ask` after two turns of the event loop, as a request does whose token is checked first. */
const askLater = async (ask: () => Promise<unknown>) => {
  for (let turns = 0; turns < 2; turns++) await turn()
  return ask()
}

test('with turns, who comes when a load is there has the next one under way before those of the last go on', async () => {
  for (const [turns, expected] of [
    [0, 1],
    [3, 2],
  ] as const) {
    const loads: string[][] = []
    const first = gate()
    const load = async (keys: string[]) => {
      loads.push(keys)
      if (loads.length === 1) await first.opened
      return new Map(keys.map((key) => [key, key]))
    }
    const read = batching(load, { turns })
    const seenByFirst = read('a').then(() => loads.length)
    await turn()
    first.open()
    const second = askLater(() => read('b'))
    expect([turns, await seenByFirst, await second]).toEqual([turns, expected, 'b'])
  }
})

test('a failed load fails its own callers and no others', async () => {
  let count = 0
  const read = batching(async (keys: string[]) => {
    if (++count === 1) throw new Error('away')
    return new Map(keys.map((key) => [key, 1]))
  })
  await expect(read('a')).rejects.toThrow('away')
  expect(await read('a')).toBe(1)
})

test('a batch takes no more keys than allowed', async () => {
  const sizes: number[] = []
  const read = batching(
    async (keys: number[]) => {
      sizes.push(keys.length)
      return new Map()
    },
    { max: 2 },
  )
  await Promise.all([1, 2, 3, 4, 5].map(read))
  expect(sizes).toEqual([2, 2, 1])
})

test('no one joins a read that was already sent; all who wait share the next', async () => {
  const gates = [gate(), gate()]
  let reads = 0
  const share = singleFlight<number>()
  const read = async () => {
    const mine = reads++
    await gates[mine]?.opened
    return mine
  }
  const first = share('x', read)
  const second = share('x', read)
  const third = share('x', read)
  gates[0]?.open()
  gates[1]?.open()
  expect(await Promise.all([first, second, third])).toEqual([0, 1, 1])
  expect(await share('x', read)).toBe(2)
})

/** A batch loader whose first two loads each wait at a gate, and the list of its loads. */
const gated = (options: Parameters<typeof batching>[1]) => {
  const loads: string[][] = []
  const gates = [gate(), gate()]
  const load = async (keys: string[]) => {
    const mine = loads.push(keys) - 1
    await gates[mine]?.opened
    return new Map(keys.map((key) => [key, key]))
  }
  return { read: batching(load, options), loads, gates }
}

test('so many loads at once as are allowed, and those who wait share the next', async () => {
  const { read, loads, gates } = gated({ atOnce: 2 })
  const asked = [read('a')]
  await turn()
  asked.push(read('b'))
  await turn()
  asked.push(read('c'), read('d'))
  await turn()
  expect(loads).toEqual([['a'], ['b']])
  gates[1]!.open()
  expect(await asked[1]).toBe('b')
  await turn()
  expect(loads).toEqual([['a'], ['b'], ['c', 'd']])
  gates[0]!.open()
  expect(await Promise.all(asked)).toEqual(['a', 'b', 'c', 'd'])
})

test('with patience another load begins only beside one that takes long', async () => {
  const { read, loads, gates } = gated({ atOnce: 2, patience: 30 })
  const asked = [read('a')]
  await turn()
  asked.push(read('b'))
  await turn()
  expect(loads).toEqual([['a']])
  asked.push(read('c'))
  // The first load is still under way.
  gates[1]!.open()
  expect(await Promise.all(asked.slice(1))).toEqual(['b', 'c'])
  expect(loads).toEqual([['a'], ['b', 'c']])
  gates[0]!.open()
  expect(await asked[0]).toBe('a')
  expect(await read('d')).toBe('d')
})
