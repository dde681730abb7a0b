import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOpenings, type Openings } from '../src/transports/openings.ts'

const onError = (error: unknown) => {
  throw error
}

/** Openings that end when the test says. */
const held = (openings: Openings) => {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const open = (index: number) =>
    openings.run(() => {
      begun.push(index)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  return { begun, open, endOne: () => ends.shift()?.() }
}

test('streams are opened a few at a time, in the order they came; the next ones once half of these are open', async () => {
  const openings = createOpenings({ atOnce: 4, onError })
  const { begun, open, endOne } = held(openings)
  const all = Array.from({ length: 9 }, (_, index) => open(index))
  await turn()
  expect([begun, openings.underWay()]).toEqual([[0, 1, 2, 3], 9])
  endOne()
  await turn()
  expect(begun).toHaveLength(4)
  endOne()
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4, 5])
  while (begun.length < 9) {
    endOne()
    await turn()
  }
  for (let left = 0; left < 9; left++) endOne()
  await Promise.all(all)
  expect([begun, openings.underWay()]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8], 0])
})

test('other work gets its turn between them', async () => {
  const openings = createOpenings({ atOnce: 1, onError })
  const order: string[] = []
  const opened = [1, 2].map((number) => openings.run(async () => void order.push(`stream ${number}`)))
  setImmediate(() => order.push('other work'))
  await Promise.all(opened)
  expect(order).toEqual(['stream 1', 'other work', 'stream 2'])
})

test('one that fails leaves room for the next, and its failure is its own', async () => {
  const openings = createOpenings({ atOnce: 1, onError })
  const failed = openings.run(async () => {
    throw new Error('no token')
  })
  const next = openings.run(async () => 'open')
  await expect(failed).rejects.toThrow('no token')
  expect(await next).toBe('open')
})

test('one that waits for a silent store holds up others for a while only', async () => {
  const openings = createOpenings({ atOnce: 1, held: 10, onError })
  const { promise, resolve } = Promise.withResolvers<string>()
  const silent = openings.run(() => promise)
  expect(await openings.run(async () => 'open')).toBe('open')
  resolve('open late')
  expect(await silent).toBe('open late')
  expect(await openings.run(async () => 'open')).toBe('open')
})
