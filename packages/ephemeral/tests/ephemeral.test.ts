import { startRedis, whyNoRedis } from '@rookery/testkit/stores'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Ephemeral, memoryEphemeral } from '../src/index.ts'
import { redisEphemeral } from '../src/redis/redis.ts'
import { ephemeralConformance } from './ephemeral.conformance.ts'

describe('memory', () => {
  let shared: Ephemeral | undefined
  let now: () => number = Date.now
  afterEach(() => {
    shared?.close()
    shared = undefined
  })
  // One process has one of it: what another would open is the same.
  const open = async (clock: () => number) => {
    now = clock
    shared ??= memoryEphemeral(() => now())
    return shared
  }
  ephemeralConformance('memory', () => ({ open }))
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
      expect(await one.rates.hit([{ key: 'a', windowSeconds: 60 }])).toEqual([0])
      expect(await one.cache.get('a')).toBeUndefined()
      await one.cache.set('a', 'x', 60)
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
