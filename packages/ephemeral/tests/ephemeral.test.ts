import { startRedis, whyNoRedis } from '@rookery/test-stores'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Ephemeral, KEPT_MILLISECONDS, MAX_LOG_BYTES, memoryEphemeral } from '../src/index.ts'
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
  // The memory adapter exists once per process: a second open returns the same.
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

/** Milliseconds that a busy machine needs for work that does not wait for Redis, and far less than waiting would take. */
const SOON = 10_000

const noRedis = await whyNoRedis()
describe.skipIf(noRedis)(noRedis ?? 'Redis', () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  const open = async (now: () => number = Date.now, heartbeatMilliseconds = 100, onFault: (fault: string) => void = () => {}) => {
    const ephemeral = redisEphemeral({ url: redis.url, now, heartbeatMilliseconds, onFault })
    await expect.poll(() => ephemeral.live.fault(), { interval: 5 }).toBeUndefined()
    return ephemeral
  }
  ephemeralConformance('Redis', () => ({ open }))

  test('that refuses a channel to its user says so once, and serves the user when it allows it', async () => {
    const admin = new Redis(redis.url)
    await admin.call('ACL', 'SETUSER', 'limited', 'on', '>secret', '~*', '+@all', 'resetchannels')
    const faults: string[] = []
    const url = redis.url.replace('//', '//limited:secret@')
    const limited = redisEphemeral({ url, now: Date.now, onFault: (fault) => faults.push(fault) })
    const stamp = limited.invalidations.watch('topic')
    const refusals = async () => Number(/cmdstat_subscribe:.*rejected_calls=(\d+)/.exec(await admin.info('commandstats'))?.[1])
    await expect.poll(refusals, { interval: 10 }).toBeGreaterThan(2)
    expect(faults).toEqual([expect.stringMatching(/^Redis refuses what is asked of it: NOPERM /)])
    expect(stamp()).toBeUndefined()
    await admin.call('ACL', 'SETUSER', 'limited', 'allchannels')
    await expect.poll(stamp, { interval: 10 }).toBeDefined()
    expect(faults).toHaveLength(1)
    await limited.close()
    await admin.quit()
  })

  test('that is closed is not reported as lost', async () => {
    const faults: string[] = []
    const closed = await open(Date.now, 60_000, (fault) => faults.push(fault))
    const witness = await open(Date.now, 60_000)
    faults.length = 0
    await closed.close()
    // By then the other side has closed too.
    for (let times = 0; times < 20; times++) await witness.rates.hit([{ key: 'witness', windowSeconds: 60 }])
    expect(faults).toEqual([])
    await witness.close()
  })

  describe('when Redis is killed', () => {
    let one: Ephemeral
    let other: Ephemeral
    beforeEach(async () => {
      // No heartbeat runs during a test: whatever is restored, the connection restores.
      one = await open(Date.now, 60_000)
      other = await open(Date.now, 60_000)
    })
    afterEach(async () => {
      await one.close()
      await other.close()
      // Whatever the test did, Redis runs for the next one.
      await redis.kill()
      await redis.start()
    })

    test('everything answers at once that it was not done', async () => {
      await one.presence.arrive('ann')
      await redis.kill()
      await expect.poll(() => one.live.fault(), { interval: 5 }).toBeDefined()
      expect(await one.live.publish(Buffer.from('lost'))).toBe(false)
      expect(await one.presence.arrive('bob')).toBeUndefined()
      one.presence.leave('ann')
      expect(await one.presence.listeners()).toBeUndefined()
    })

    test('each process counts on for itself, from what it has seen, and at once', async () => {
      const hit = (from: Ephemeral) => from.rates.hit([{ key: 'lost', windowSeconds: 86_400 }])
      expect(await hit(one)).toEqual([1])
      expect(await hit(other)).toEqual([2])
      await redis.kill()
      expect(await hit(one)).toEqual([2])
      const begun = performance.now()
      for (let count = 3; count <= 100; count++) expect(await hit(one)).toEqual([count])
      // If each waited for Redis, it would take 25 seconds.
      expect(performance.now() - begun).toBeLessThan(SOON)
      expect(await hit(other)).toEqual([2])
      await redis.start()
      await expect.poll(() => one.live.fault() ?? other.live.fault(), { interval: 10 }).toBeUndefined()
      expect(await hit(one)).toEqual([101])
    })

    test('a process that starts meanwhile starts, says so, and is well once Redis is back', async () => {
      await redis.kill()
      const late = redisEphemeral({ url: redis.url, now: Date.now })
      const heard: string[] = []
      await late.live.subscribe({ read: ({ message }) => heard.push(Buffer.from(message).toString()) })
      expect(late.live.fault()).toBeDefined()
      await redis.start()
      await expect.poll(() => late.live.fault() ?? one.live.fault(), { interval: 10 }).toBeUndefined()
      await one.live.publish(Buffer.from('a'))
      await expect.poll(() => heard).toEqual(['a'])
      await late.close()
    })

    test('subscriptions and presence are restored once it is back', async () => {
      const heard: string[] = []
      await other.live.subscribe({ read: ({ message }) => heard.push(Buffer.from(message).toString()) })
      await other.presence.arrive('ann')
      expect(await one.presence.listeners()).toEqual(['ann'])
      await redis.kill()
      await expect.poll(() => other.live.fault(), { interval: 5 }).toBeDefined()
      await redis.start()
      await expect.poll(() => one.live.fault() ?? other.live.fault(), { interval: 10 }).toBeUndefined()
      await one.live.publish(Buffer.from('after'))
      await expect.poll(() => heard).toEqual(['after'])
      await expect.poll(() => one.presence.listeners()).toEqual(['ann'])
    })
  })

  describe('an invalidation', () => {
    const TOPIC = 'tokens'
    const asks = async (...command: [string, ...string[]]) => {
      const client = new Redis(redis.url)
      await client.call(...command)
      client.disconnect()
    }
    let one: Ephemeral
    let stamp: () => number | undefined
    beforeEach(async () => {
      one = await open(Date.now, 60_000)
      stamp = one.invalidations.watch(TOPIC)
      await expect.poll(stamp, { interval: 5 }).toBeDefined()
    })
    afterEach(() => one.close())

    test('may be missed while Redis is away: there is no stamp then, and another one after it', async () => {
      const before = stamp()
      await redis.kill()
      await expect
        .poll(stamp, { interval: 5 })
        .toBeUndefined()
        .finally(() => redis.start())
      await expect.poll(stamp, { interval: 5 }).toBeDefined()
      expect(stamp()).not.toBe(before)
    })

    test('is published by no one while Redis is away, and keeps no one waiting', async () => {
      await redis.kill()
      const begun = performance.now()
      const published = one.invalidations.publish(TOPIC).then(() => performance.now() - begun)
      expect(await published.finally(() => redis.start())).toBeLessThan(SOON)
    })

    test('may be missed while a connection is made again: the stamp is another one after it', async () => {
      const before = stamp()
      await asks('client', 'kill', 'type', 'pubsub')
      await expect.poll(() => ![before, undefined].includes(stamp()), { interval: 5 }).toBe(true)
      await expect.poll(() => one.live.fault()).toBeUndefined()
      const after = stamp()
      await one.invalidations.publish(TOPIC)
      await expect.poll(stamp, { interval: 5 }).not.toBe(after)
    })

    /** How many pings Redis has answered. */
    const pings = async () => {
      const client = new Redis(redis.url)
      const info = await client.info('commandstats')
      client.disconnect()
      return Number(/cmdstat_ping:calls=(\d+)/.exec(info)?.[1] ?? 0)
    }

    test('is heard on a connection that was asked more than once whether it is there', async () => {
      const before = [await pings(), stamp()] as const
      // Both connections ping: one that failed would have reconnected by then, with another stamp.
      await expect.poll(pings, { interval: 100 }).toBeGreaterThanOrEqual(before[0] + 4)
      expect(stamp()).toBe(before[1])
      await one.invalidations.publish(TOPIC)
      await expect.poll(stamp, { interval: 5 }).not.toBe(before[1])
    })

    test('keeps no one waiting for a Redis that is silent', async () => {
      await asks('client', 'pause', '60000', 'write')
      const begun = performance.now()
      await one.invalidations.publish(TOPIC)
      expect(performance.now() - begun).toBeLessThan(SOON)
      await asks('client', 'unpause')
    })
  })

  test('rates do not wait for a Redis that is silent, and are shared again once it answers', async () => {
    const one = await open()
    const other = await open()
    const hit = async (from: Ephemeral, amount = 1) => (await from.rates.hit([{ key: 'silent', windowSeconds: 86_400, amount }]))[0]!
    const pausing = new Redis(redis.url)
    await pausing.call('CLIENT', 'PAUSE', '60000', 'WRITE')
    const begun = performance.now()
    for (let count = 1; count <= 100; count++) expect(await hit(one)).toBe(count)
    // The first waits a moment; if all did, it would take 25 seconds.
    expect(performance.now() - begun).toBeLessThan(SOON)
    await pausing.call('CLIENT', 'UNPAUSE')
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

  describe('a gap', () => {
    /** A process with an open stream of ann's, and the gaps it saw. */
    const listening = async (heartbeatMilliseconds = 60_000) => {
      const process = await open(Date.now, heartbeatMilliseconds)
      const gaps: number[] = []
      await process.live.subscribe({
        read() {},
        onGap({ isKept }) {
          if (!isKept) gaps.push(performance.now())
        },
      })
      await process.presence.arrive('ann')
      return { ...process, gaps }
    }
    const closing: Ephemeral[] = []
    const kept = async <Process extends Ephemeral>(opening: Promise<Process>) => {
      const process = await opening
      closing.push(process)
      return process
    }
    const asks = async (...command: [string, ...string[]]) => {
      const client = new Redis(redis.url)
      await client.call(...command)
      client.disconnect()
    }
    afterEach(async () => {
      await asks('client', 'unpause')
      for (const each of closing.splice(0)) await each.close()
      await asks('flushall')
    })

    test('is noticed when Redis was killed, once it is back', async () => {
      const stream = await kept(listening())
      await redis.kill()
      await redis.start()
      await expect.poll(() => stream.gaps.length, { interval: 5 }).toBe(1)
    })

    test('is noticed when Redis stays away for seconds', async () => {
      const stream = await kept(listening())
      await redis.kill()
      await expect.poll(() => stream.gaps.length, { timeout: 15_000 }).toBe(1)
      await redis.start()
    })

    test('is none when connections are lost: what was published meanwhile is read after it', async () => {
      const [stream, publisher] = [await kept(listening()), await kept(open(Date.now, 60_000))]
      const heard: string[] = []
      await stream.live.subscribe({ read: ({ message, isKept }) => void (isKept || heard.push(Buffer.from(message).toString())) })
      for (let count = 0; count < 20; count++) {
        if (count % 5 === 3) await asks('client', 'kill', 'type', 'normal', 'skipme', 'yes')
        await expect.poll(() => publisher.live.publish(Buffer.from(String(count))), { interval: 5 }).toBe(true)
      }
      await expect.poll(() => heard.at(-1)).toBe('19')
      expect([...new Set(heard)]).toEqual(Array.from({ length: 20 }, (_, index) => String(index)))
      expect(stream.gaps).toEqual([])
    })

    test('is noticed when another Redis has the log as it was a while ago', async () => {
      const stream = await kept(listening())
      // As if Redis was restarted with an older snapshot.
      await asks('set', 'rookery:live:epoch', 'aaaaaaaa/another-run')
      await expect.poll(() => stream.gaps.length).toBe(1)
    })

    test('is reported by a publisher that could not publish, once it can', async () => {
      const stream = await kept(listening())
      const { promise: lost, resolve: lose } = Promise.withResolvers<string>()
      const publisher = await kept(open(Date.now, 60_000, lose))
      // Subscribers stay connected.
      await asks('client', 'kill', 'type', 'normal')
      await lost
      expect(await publisher.live.publish(Buffer.from('lost'))).toBe(false)
      expect(await publisher.presence.listeners()).toBeUndefined()
      expect(stream.gaps).toEqual([])
      publisher.live.reportGap()
      await expect.poll(() => stream.gaps.length).toBe(1)
      await expect.poll(() => publisher.presence.listeners()).toEqual(['ann'])
    })

    test('is noticed within a heartbeat when Redis is flushed, and presence is whole again', async () => {
      const stream = await kept(listening(50))
      const other = await kept(open(Date.now, 50))
      await asks('flushall')
      await expect.poll(() => stream.gaps.length, { interval: 5 }).toBe(1)
      await expect.poll(() => other.presence.listeners()).toEqual(['ann'])
      expect(other.live.fault()).toBeUndefined()
    })

    test('a flush of Redis is noticed by the first account to arrive, whose arrival counts', async () => {
      const stream = await kept(listening())
      await asks('flushall')
      expect(await stream.presence.arrive('bob')).toBeDefined()
      await expect.poll(() => stream.gaps.length).toBe(1)
      expect((await stream.presence.listeners())?.sort()).toEqual(['ann', 'bob'])
    })

    test('is noticed when Redis stands still', async () => {
      const stream = await kept(listening())
      await asks('client', 'pause', '12000', 'all')
      await expect.poll(() => stream.gaps.length).toBe(1)
      expect(stream.live.fault()).toBeDefined()
    })

    test('is noticed by a process that stood still for longer than others took it for alive', async () => {
      let standsStillFor = 0
      const stream = await kept(open(() => Date.now() + standsStillFor, 50))
      const gaps: string[] = []
      await stream.live.subscribe({
        read() {},
        onGap({ isKept }) {
          if (!isKept) gaps.push('gap')
        },
      })
      await stream.presence.arrive('ann')
      standsStillFor = KEPT_MILLISECONDS + 1
      await expect.poll(() => gaps.length).toBe(1)
    })
  })

  test('an account stays known when the clock of its process was set back', async () => {
    let now = Date.now()
    const process = await open(() => now)
    const client = new Redis(redis.url)
    await process.presence.arrive('ann')
    now -= 2 * 3_600_000
    // As if its grace period ended before the process's own clock says to renew.
    await client.zrem('rookery:listeners', 'ann')
    await expect.poll(() => process.presence.listeners()).toEqual(['ann'])
    await client.quit()
    await process.close()
  })

  test('an account is forgotten when its grace is over, also when its process died, and is covered again when it comes back', async () => {
    const graceMilliseconds = 300
    const dying = redisEphemeral({ url: redis.url, now: Date.now, heartbeatMilliseconds: 60_000, graceMilliseconds })
    const living = redisEphemeral({ url: redis.url, now: Date.now, heartbeatMilliseconds: 60_000, graceMilliseconds })
    await expect.poll(() => dying.live.fault() ?? living.live.fault(), { interval: 5 }).toBeUndefined()
    const first = await dying.presence.arrive('ann')
    expect(await living.presence.listeners()).toEqual(['ann'])
    // It renews its accounts no more.
    await expect.poll(() => living.presence.listeners(), { interval: 20 }).toEqual([])
    const again = await living.presence.arrive('ann')
    expect(again!.coveredSince).toBeGreaterThan(first!.coveredSince)
    await dying.close()
    await living.close()
  })

  test('the log is bounded in bytes, whatever is published', async () => {
    const one = await open(Date.now, 60_000)
    const message = Buffer.alloc(256 * 1024, 1)
    for (let count = 0; count < 180; count++) expect(await one.live.publish(message)).toBe(true)
    const client = new Redis(redis.url)
    // Messages published between two checks may exceed the limit.
    const bytes = async () => Number(await client.memory('USAGE', 'rookery:live:log', 'SAMPLES', 0))
    await expect.poll(bytes).toBeLessThan(MAX_LOG_BYTES + 2 * 1024 * 1024)
    expect(await client.ttl('rookery:live:log')).toBeGreaterThan(0)
    await client.flushall()
    client.disconnect()
    await one.close()
  })
})
