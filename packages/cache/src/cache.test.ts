import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, test } from 'vitest'
import { bytesOf, type CachePool, cachePool, ownBytes } from './index.ts'

const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that this process keeps alive, on the heap and outside it, once garbage collection frees no more. */
const alive = () => {
  let [last, bytes] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < 10; round++) {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    ;[last, bytes] = [bytes, heapUsed + external]
    if (Math.abs(last - bytes) < 10 * KILOBYTE) break
  }
  return bytes
}

describe('bytes that are owned', () => {
  it('are copied out of a pool that they are a slice of', () => {
    const slice = Buffer.from('a body of a kilobyte')
    expect(slice.buffer.byteLength).toBeGreaterThan(slice.length)
    const own = ownBytes(slice)
    expect([own.toString(), own.buffer.byteLength]).toEqual(['a body of a kilobyte', slice.length])
    slice.fill(0)
    expect(own.toString()).toBe('a body of a kilobyte')
  })

  it('are not copied when they have a buffer of their own', () => {
    const bytes = new Uint8Array(10)
    expect(ownBytes(bytes).buffer).toBe(bytes.buffer)
    expect(ownBytes(new Uint8Array(0))).toHaveLength(0)
  })
})

test('a slice counts with the pool that it keeps alive', () => {
  expect(bytesOf(Buffer.from('x'))).toBeGreaterThanOrEqual(Buffer.poolSize)
  expect(bytesOf(ownBytes(Buffer.from('x')))).toBeLessThan(400)
})

type Held = { pool?: CachePool }

/** A pool that many values have passed through. */
const filled = (make: (id: number) => object): Held => {
  const pool = cachePool({ maxBytes: 8 * MEGABYTE })
  const cache = pool.cache<object>('measured')
  for (let id = 0; id < 20_000; id++) {
    cache.set(`${id}`, make(id))
    // Other work allocates from Node's buffer pool in between, as in a server.
    Buffer.from('x'.repeat(3000))
  }
  return { pool }
}

/** The usage of the pool's first cache, without a reference to the pool in the frame of the test. */
const countedIn = (held: Held) => ({ ...held.pool!.usage()[0]! })

/** Bytes freed by dropping a pool: everything else in this process is there before and after. */
const freedBy = (held: Held): number => {
  const before = alive()
  delete held.pool
  return before - alive()
}

describe('a pool', () => {
  const pool = () => cachePool({ maxBytes: 100 * KILOBYTE })
  const bytes = (kilobytes: number) => Buffer.allocUnsafeSlow(kilobytes * KILOBYTE)
  const usageOf = (of: CachePool, name: string) => of.usage().find(({ cache }) => cache === name)!

  it('lets go of what was used least recently, in whichever cache it is', () => {
    const shared = pool()
    const [birds, nests] = [shared.cache<Buffer>('birds'), shared.cache<Buffer>('nests')]
    for (let id = 0; id < 15; id++) birds.set(`${id}`, bytes(5))
    birds.get('0')
    for (let id = 0; id < 4; id++) nests.set(`${id}`, bytes(5))
    expect(birds.peek('0')).toBeDefined()
    expect([birds.peek('1'), birds.peek('2'), birds.peek('14'), nests.peek('0')]).toEqual([
      undefined,
      expect.anything(),
      expect.anything(),
      expect.anything(),
    ])
    expect([usageOf(shared, 'birds').entries, usageOf(shared, 'nests').entries]).toEqual([14, 4])
    expect(shared.usage().reduce((sum, usage) => sum + usage.bytes, 0)).toBeLessThanOrEqual(100 * KILOBYTE)
  })

  it('keeps what is used again and again, of thousands that come and go', () => {
    const shared = cachePool({ maxBytes: 1000 * KILOBYTE })
    const birds = shared.cache<{ name: string }>('birds')
    for (let id = 0; id < 20_000; id++) {
      birds.set(`${id}`, { name: `${id}` })
      if (id % 10 === 0) expect(birds.get('0')).toEqual({ name: '0' })
    }
    expect(usageOf(shared, 'birds').entries).toBeGreaterThan(1000)
    expect(usageOf(shared, 'birds').entries).toBeLessThan(10_000)
    expect(birds.peek('1')).toBeUndefined()
  })

  it('keeps what is of the same key in two caches apart, and replaces it within one', () => {
    const shared = pool()
    const [birds, nests] = [shared.cache<{ name: string }>('birds'), shared.cache<{ name: string }>('nests')]
    birds.set('1', { name: 'wren' })
    nests.set('1', { name: 'hedge' })
    birds.set('1', { name: 'robin' })
    expect([birds.get('1'), nests.get('1')]).toEqual([{ name: 'robin' }, { name: 'hedge' }])
    expect([usageOf(shared, 'birds').entries, usageOf(shared, 'nests').entries]).toEqual([1, 1])
  })

  it('counts hits and misses, and as a miss what is no longer accepted', () => {
    const shared = pool()
    const birds = shared.cache<{ version: number }>('birds')
    birds.set('1', { version: 1 })
    expect([birds.get('1'), birds.get('2'), birds.get('1', ({ version }) => version >= 2)]).toEqual([{ version: 1 }, undefined, undefined])
    expect(usageOf(shared, 'birds')).toMatchObject({ hits: 1, misses: 2 })
  })

  it('does not keep what alone is too large, nor what that would have replaced', () => {
    const shared = pool()
    const birds = shared.cache<Buffer>('birds')
    birds.set('1', bytes(1))
    birds.set('1', bytes(50))
    expect(birds.peek('1')).toBeUndefined()
    expect(usageOf(shared, 'birds')).toMatchObject({ entries: 0, bytes: 0 })
  })

  it('keeps nothing when it may hold nothing', () => {
    const birds = cachePool({ maxBytes: 0 }).cache<Buffer>('birds')
    birds.set('1', bytes(1))
    expect(birds.get('1')).toBeUndefined()
  })

  test.each([
    ['bodies of a kilobyte', (id: number) => ({ id: `${id}`, version: id, body: ownBytes(Buffer.alloc(1000, id % 256)) })],
    ['small bodies', (id: number) => ({ id: `${id}`, version: id, body: ownBytes(Buffer.alloc(60, id % 256)) })],
    ['texts', (id: number) => ({ text: `${id} `.repeat(100) })],
    ['sets of ids', (id: number) => ({ ids: new Set(Array.from({ length: 50 }, (_, index) => `${id}${index}0000000000`)) })],
  ])('counts about what it keeps alive: %s', (_name, make: (id: number) => object) => {
    const held = filled(make)
    const { bytes: counted, entries } = countedIn(held)
    const kept = freedBy(held)
    expect(counted).toBeLessThanOrEqual(8 * MEGABYTE)
    expect(entries).toBeGreaterThan(1000)
    expect(kept / counted).toBeGreaterThan(0.6)
    expect(kept / counted).toBeLessThan(1.2)
  })
})
