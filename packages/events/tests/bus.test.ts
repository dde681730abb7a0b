import { freePorts, startKafka, startProxy, type TestProxy, whyNoKafka } from '@rookery/test-stores'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Bus, inProcessBus, type Message } from '../src/index.ts'
import { kafkaBus } from '../src/kafka/bus.ts'
import { openKafka } from '../src/kafka/client.ts'
import { busConformance, durableBusConformance } from './bus.conformance.ts'

// Starts and restarts real processes.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

busConformance('in-process', () => ({ open: inProcessBus }))

describe('in-process bus', () => {
  test('publish resolves only when every consumer of every group has handled', async () => {
    const bus: Bus = inProcessBus()
    const done: string[] = []
    const subscription = (consumer: string, turns: number) => ({
      topic: 'a',
      consumer,
      handle: async () => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        done.push(consumer)
      },
    })
    await bus.subscribe('one', [subscription('slow', 20), subscription('quick', 0)])
    await bus.subscribe('other', [subscription('slowest', 50)])
    await bus.publish('a', [{ key: 'ann', envelope: Buffer.from('x') }])
    expect(done).toEqual(['quick', 'slow', 'slowest'])
  })

  test('publish throws when a consumer could not handle, so that the publisher keeps the messages', async () => {
    const bus = inProcessBus()
    const handle = async () => {
      throw new Error('no')
    }
    await bus.subscribe('all', [{ topic: 'a', consumer: 'failing', handle }])
    await expect(bus.publish('a', [{ key: 'ann', envelope: Buffer.from('x') }])).rejects.toThrow('no')
  })
})

/** Milliseconds in which a busy machine recovers; kafkajs by itself stalls for 25 to 31 seconds. */
const SOON = 20_000

const noKafka = await whyNoKafka()
describe.skipIf(noKafka)(noKafka ?? 'Kafka', () => {
  let kafka: Awaited<ReturnType<typeof startKafka>>
  let proxy: TestProxy
  beforeAll(async () => {
    const port = await freePorts(5)
    const advertisedPort = port + 4
    kafka = await startKafka({ port, advertisedPort })
    proxy = await startProxy(kafka.address, { port: advertisedPort })
  }, 240_000)
  afterAll(async () => {
    await proxy.close()
    await kafka.stop()
  })
  const countMembers = async (group: string) => {
    const admin = openKafka({ brokers: [proxy.address], clientId: 'admin' }, 'aWhile').kafka.admin()
    await admin.connect()
    const { groups } = await admin.describeGroups([group])
    await admin.disconnect()
    return groups[0]?.members.length
  }
  /** Another member of a group, which dies silently. */
  const joinAnother = async ({ topic, group, sessionMilliseconds }: { topic: string; group: string; sessionMilliseconds: number }) => {
    const { kafka, close } = openKafka({ brokers: [proxy.address], clientId: 'another' }, 'aWhile')
    const consumer = kafka.consumer({ groupId: group, sessionTimeout: sessionMilliseconds, rebalanceTimeout: sessionMilliseconds })
    const joined = new Promise<unknown>((resolve) => consumer.on('consumer.group_join', resolve))
    await consumer.connect()
    await consumer.subscribe({ topics: [topic] })
    await consumer.run({ eachBatch: async () => {} })
    await joined
    return { die: () => close('killed') }
  }
  const open = () => kafkaBus({ brokers: [proxy.address], clientId: 'conformance', sessionMilliseconds: 6000 })
  const crash = async () => {
    await kafka.kill()
    await kafka.start()
  }
  busConformance('Kafka', () => ({ open }))
  durableBusConformance('Kafka', () => ({ open, crash }))

  test('a group whose member died without a word is joined once, as soon as the coordinator has given that up', async () => {
    const topic = `dead-${process.pid}-${Date.now()}`
    const group = `${topic}.a`
    const bus = open()
    await bus.publish(topic, [{ key: 'ann', envelope: Buffer.from('x') }])
    const dead = await joinAnother({ topic, group, sessionMilliseconds: 10_000 })
    dead.die()
    // Longer than a session timeout of this bus: waiting for the coordinator does not count as silence.
    const begun = performance.now()
    await bus.subscribe(group, [{ topic, consumer: 'idle', handle: async () => {} }])
    await expect.poll(() => bus.fault()).toBeUndefined()
    expect(performance.now() - begun).toBeLessThan(SOON)
    expect(await countMembers(group)).toBe(1)
    await bus.close()
  })

  test('a group begins where its consumers were that were groups by themselves, with the one furthest behind', async () => {
    const topic = `apart-${process.pid}-${Date.now()}`
    const message = (body: string, key = 'ann') => ({ key, envelope: Buffer.from(body) })
    const collecting = (consumer: string) => {
      const got: string[] = []
      const handle = async (messages: readonly Message[]) => {
        got.push(...messages.map(({ envelope }) => Buffer.from(envelope).toString()))
      }
      return { got, subscription: { topic, consumer: `${topic}.${consumer}`, handle } }
    }
    const [behind, ahead] = [collecting('behind'), collecting('ahead')]
    // The group that is behind has handled nothing of bob's partition.
    for (const [more, body, key] of [
      [[behind, ahead], 'of both', 'ann'],
      [[ahead], 'of one', 'ann'],
      [[ahead], 'of one by bob', 'bob'],
    ] as const) {
      const before = open()
      for (const { subscription } of more) await before.subscribe(subscription.consumer, [subscription])
      await before.publish(topic, [message(body, key)])
      for (const { got } of more) await expect.poll(() => got).toContain(body)
      await before.close()
    }
    const [one, two, young] = [collecting('behind'), collecting('ahead'), collecting('young')]
    const bus = open()
    await bus.subscribe(`${topic}-together`, [one.subscription, two.subscription, young.subscription])
    await bus.publish(topic, [message('of now')])
    for (const { got } of [one, two, young]) await expect.poll(() => [...got].sort()).toEqual(['of now', 'of one', 'of one by bob'])
    await bus.close()
    const again = collecting('behind')
    const next = open()
    await next.subscribe(`${topic}-together`, [again.subscription])
    await next.publish(topic, [message('of the next')])
    await expect.poll(() => again.got).toEqual(['of the next'])
    await next.close()
  })

  test('a group begins at the start of a topic that was deleted and created again, whatever its consumers had handled', async () => {
    const topic = `recreated-${process.pid}-${Date.now()}`
    const bus = open()
    await bus.publish(topic, [{ key: 'ann', envelope: Buffer.from('x') }])
    const { kafka: opened, close } = openKafka({ brokers: [proxy.address], clientId: 'admin' }, 'aWhile')
    const admin = opened.admin()
    await admin.connect()
    const partitions = Array.from({ length: 12 }, (_, partition) => ({ partition, offset: '1000' }))
    await admin.setOffsets({ groupId: `${topic}.before`, topic, partitions })
    await admin.disconnect()
    close('done')
    const got: string[] = []
    const handle = async (messages: readonly Message[]) => {
      got.push(...messages.map(({ envelope }) => Buffer.from(envelope).toString()))
    }
    await bus.subscribe(`${topic}-together`, [{ topic, consumer: `${topic}.before`, handle }])
    await expect.poll(() => got).toEqual(['x'])
    await bus.close()
  })

  describe('Kafka that goes silent', () => {
    const SESSION = 2000
    const topicOf = (name: string) => `silent-${name}-${process.pid}-${Date.now()}`
    const message = (body: string) => ({ key: 'ann', envelope: Buffer.from(body) })
    /** A process whose group has received one message. */
    const join = async (topic: string) => {
      const bus = kafkaBus({ brokers: [proxy.address], clientId: 'silent', sessionMilliseconds: SESSION, publishMilliseconds: 1000 })
      const got: string[] = []
      const handle = async (messages: readonly Message[]) => {
        got.push(...messages.map(({ envelope }) => Buffer.from(envelope).toString()))
      }
      await bus.subscribe(`${topic}.a`, [{ topic, consumer: 'got', handle }])
      const publish = async (body: string): Promise<void> => bus.publish(topic, [message(body)]).catch(() => publish(body))
      await publish('before')
      // Published again where its acknowledgement was lost.
      const once = () => [...new Set(got)]
      await expect.poll(once).toEqual(['before'])
      await expect.poll(() => bus.fault()).toBeUndefined()
      return { bus, got: once, publish }
    }

    test('is a fault soon, fails what is published within seconds, and is used again soon after it is back', async () => {
      const { bus, got, publish } = await join(topicOf('all'))
      proxy.silence()
      const begun = performance.now()
      await expect(bus.publish(topicOf('all'), [message('lost')])).rejects.toThrow()
      expect(performance.now() - begun).toBeLessThan(SOON)
      await expect.poll(() => bus.fault()).toMatch(/^the brokers do not answer: /)
      // Longer than the session timeout.
      await expect.poll(() => performance.now() - begun).toBeGreaterThan(2 * SESSION)
      proxy.heal()
      const back = performance.now()
      await publish('after')
      await expect.poll(got, { interval: 20 }).toEqual(['before', 'after'])
      await expect.poll(() => bus.fault(), { interval: 20 }).toBeUndefined()
      expect(performance.now() - back).toBeLessThan(SOON)
      await bus.close()
    }, 60_000)

    test.each<[string, () => Promise<void> | void, () => Promise<void> | void]>([
      ['that died', () => kafka.kill(), () => kafka.start()],
      ['that went silent', () => proxy.silence(), () => proxy.heal()],
    ])('keeps no one from ending: a bus is closed within seconds with brokers %s', async (_how, lose, restore) => {
      const { bus } = await join(topicOf('closed'))
      await lose()
      try {
        await expect.poll(() => bus.fault()).toBeDefined()
        const begun = performance.now()
        await bus.close()
        expect(performance.now() - begun).toBeLessThan(SOON)
      } finally {
        await restore()
      }
    })

    test('on the connections of a group alone is a fault until the group has joined again, on new ones', async () => {
      const { bus, got, publish } = await join(topicOf('flows'))
      proxy.dropOpenFlows()
      const begun = performance.now()
      await expect.poll(() => bus.fault(), { interval: 20 }).toMatch(/^no heartbeat of the group .* was acknowledged for \d seconds$/)
      await publish('after')
      await expect.poll(got, { interval: 20 }).toEqual(['before', 'after'])
      await expect.poll(() => bus.fault(), { interval: 20 }).toBeUndefined()
      expect(performance.now() - begun).toBeLessThan(SOON)
      await bus.close()
    })

    test('in the middle of an answer is no fault once the brokers answer on other connections', async () => {
      const { bus, got, publish } = await join(topicOf('broken'))
      proxy.breakOpenFlows()
      await publish('after')
      await expect.poll(got, { interval: 20 }).toEqual(['before', 'after'])
      await expect.poll(() => bus.fault(), { interval: 20 }).toBeUndefined()
      await bus.close()
    }, 60_000)

    test('on the connections of a group whose other member dies meanwhile: it is joined again once the coordinator has given that up, and alone', async () => {
      const topic = topicOf('both')
      const { bus, got, publish } = await join(topic)
      proxy.dropOpenFlows()
      const sessionMilliseconds = 2 * SESSION
      const other = await joinAnother({ topic, group: `${topic}.a`, sessionMilliseconds })
      const begun = performance.now()
      other.die()
      await publish('after')
      await expect.poll(got, { interval: 20 }).toEqual(['before', 'after'])
      await expect.poll(() => bus.fault(), { interval: 20 }).toBeUndefined()
      expect(performance.now() - begun).toBeLessThan(SOON)
      expect(await countMembers(`${topic}.a`)).toBe(1)
      await bus.close()
    })
  })
})
