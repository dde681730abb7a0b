import { startRedis, whyNoRedis } from '@rookery/testkit/stores'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Ephemeral, memoryEphemeral } from '../src/index.ts'
import { memoryRates } from '../src/memory/rates.ts'
import { redisEphemeral } from '../src/redis/redis.ts'
import { ephemeralConformance } from './ephemeral.conformance.ts'

describe('memory', () => {
  let shared: Ephemeral | undefined
  let now: () => number = Date.now
  afterEach(async () => {
    await shared?.close()
    shared = undefined
  })
  // One process has one of it: what another would open is the same.
  const open = async (clock: () => number) => {
    now = clock
    shared ??= memoryEphemeral(() => now())
    return shared
  }
  ephemeralConformance('memory', () => ({ open }))

  test('counts of a bounded number of keys are kept: the oldest go first', async () => {
    const rates = memoryRates(Date.now, { maxKeys: 2 })
    const hit = async (key: string) => (await rates.hit([{ key, windowSeconds: 86_400 }]))[0]
    expect([await hit('a'), await hit('b'), await hit('b'), await hit('c')]).toEqual([1, 1, 2, 1])
    expect([await hit('b'), await hit('a')]).toEqual([3, 1])
  })
})

const noRedis = await whyNoRedis()
describe.skipIf(noRedis)(noRedis ?? 'Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  const open = async (now: () => number = Date.now, heartbeatMilliseconds = 100) => {
    const ephemeral = redisEphemeral({ url: redis.url, now, heartbeatMilliseconds })
    await expect.poll(() => ephemeral.live.fault(), { interval: 5 }).toBeUndefined()
    return ephemeral
  }
  ephemeralConformance('Redis', () => ({ open }))

  describe('when Redis is killed', () => {
    let one: Ephemeral
    let other: Ephemeral
    beforeEach(async () => {
      // No heartbeat falls into a test: what is restored is restored by the connection itself.
      one = await open(Date.now, 60_000)
      other = await open(Date.now, 60_000)
    })
    afterEach(async () => {
      await one.close()
      await other.close()
      // Whatever the test did, the next one finds it running.
      await redis.kill()
      await redis.start()
    })

    test('everything answers at once, as if nobody were there', async () => {
      one.presence.arrive('ann')
      await redis.kill()
      await expect.poll(() => one.live.fault(), { interval: 5 }).toBeDefined()
      one.live.publish(Buffer.from('lost'))
      one.presence.arrive('bob')
      one.presence.leave('ann')
      expect(await one.presence.connected()).toEqual([])
    })

    test('each process counts on for itself, from what it has seen, and at once', async () => {
      const hit = (from: Ephemeral) => from.rates.hit([{ key: 'lost', windowSeconds: 86_400 }])
      expect(await hit(one)).toEqual([1])
      expect(await hit(other)).toEqual([2])
      await redis.kill()
      expect(await hit(one)).toEqual([2])
      const begun = performance.now()
      for (let count = 3; count <= 100; count++) expect(await hit(one)).toEqual([count])
      expect(performance.now() - begun).toBeLessThan(1000)
      expect(await hit(other)).toEqual([2])
      await redis.start()
      await expect.poll(() => one.live.fault() ?? other.live.fault(), { timeout: 5000, interval: 10 }).toBeUndefined()
      expect(await hit(one)).toEqual([101])
    })

    test('a process that starts meanwhile starts, says so, and is well once Redis is back', async () => {
      await redis.kill()
      const late = redisEphemeral({ url: redis.url, now: Date.now })
      const heard: string[] = []
      await late.live.subscribe((message) => heard.push(Buffer.from(message).toString()))
      expect(late.live.fault()).toBeDefined()
      await redis.start()
      await expect.poll(() => late.live.fault() ?? one.live.fault(), { timeout: 5000, interval: 10 }).toBeUndefined()
      one.live.publish(Buffer.from('a'))
      await expect.poll(() => heard).toEqual(['a'])
      await late.close()
    })

    test('subscriptions and presence are restored once it is back', async () => {
      const heard: string[] = []
      await other.live.subscribe((message) => heard.push(Buffer.from(message).toString()))
      other.presence.arrive('ann')
      await expect.poll(() => one.presence.connected()).toEqual(['ann'])
      await redis.kill()
      await expect.poll(() => other.live.fault(), { interval: 5 }).toBeDefined()
      await redis.start()
      await expect.poll(() => one.live.fault() ?? other.live.fault(), { timeout: 5000, interval: 10 }).toBeUndefined()
      one.live.publish(Buffer.from('after'))
      await expect.poll(() => heard).toEqual(['after'])
      await expect.poll(() => one.presence.connected()).toEqual(['ann'])
    })
  })

  test('rates do not wait for a Redis that is silent, and are shared again once it answers', async () => {
    const one = await open()
    const other = await open()
    const hit = async (from: Ephemeral, amount = 1) => (await from.rates.hit([{ key: 'silent', windowSeconds: 86_400, amount }]))[0]!
    const pausing = new Redis(redis.url)
    await pausing.call('CLIENT', 'PAUSE', '1500', 'ALL')
    const begun = performance.now()
    for (let count = 1; count <= 100; count++) expect(await hit(one)).toBe(count)
    // The first waits a moment; no other does.
    expect(performance.now() - begun).toBeLessThan(1000)
    const isShared = async () => {
      const before = await hit(other, 0)
      await hit(one)
      return (await hit(other, 0)) - before
    }
    await expect.poll(isShared, { interval: 100 }).toBe(1)
    pausing.disconnect()
    await one.close()
    await other.close()
  })

  test('whoever was connected to a process that died is soon gone', async () => {
    let isFrozen = false
    const dying = await open(() => (isFrozen ? 0 : Date.now()))
    const living = await open()
    dying.presence.arrive('ann')
    await expect.poll(() => living.presence.connected()).toEqual(['ann'])
    // A process whose heartbeats count for nothing, as those of a dead one.
    isFrozen = true
    await expect.poll(() => living.presence.connected(), { timeout: 2000 }).toEqual([])
    await dying.close()
    await living.close()
  })
})
