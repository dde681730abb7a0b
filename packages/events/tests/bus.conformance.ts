import { describe, expect, test } from 'vitest'
import type { Bus, Message } from '../src/index.ts'

/** An adapter under test, and how its durable storage crashes, if it has one. */
type BusUnderTest = {
  /** Opens the bus as a process of its own; all of them see the same messages. */
  open(): Bus
  /** Kills and restarts the durable storage. */
  crash?: () => Promise<void>
}

const text = (message: Message) => Buffer.from(message.envelope).toString()
const messageOf = (key: string, body: string): Message => ({ key, envelope: Buffer.from(body) })
let topics = 0
const freshTopic = () => `conformance-${process.pid}-${Date.now()}-${topics++}`

/** Publishes like the relay: messages without an acknowledgement are published again. */
const publishWithRetries = async (bus: Bus, topic: string, messages: readonly Message[]): Promise<void> => {
  await bus.publish(topic, messages).catch(() => publishWithRetries(bus, topic, messages))
}

/** A subscription that collects its messages. */
const collecting = (topic: string, { consumer = 'collecting', isUnhurried = false } = {}) => {
  const got: string[] = []
  const handle = async (messages: readonly Message[]) => {
    got.push(...messages.map(text))
  }
  return { got, subscription: { topic, consumer, isUnhurried, handle } }
}

/** A subscription that fails until it is repaired. */
const breaking = (topic: string) => {
  let isBroken = true
  const handle = async () => {
    if (isBroken) throw new Error('broken')
  }
  const mend = () => {
    isBroken = false
  }
  return { broken: { topic, consumer: 'broken', handle }, mend }
}

/** Subscribes a group of one member that collects its messages. */
const collect = async (bus: Bus, topic: string, group: string, options: { isUnhurried?: boolean } = {}) => {
  const { got, subscription } = collecting(topic, options)
  await bus.subscribe(group, [subscription])
  return got
}

const until = (got: readonly string[]) => expect.poll(() => [...got].sort(), { interval: 20 })
const ofKey = (got: readonly string[], key: string) => got.filter((body) => body.startsWith(`${key}-`))

/** The conformance suite of the Bus port. */
export const busConformance = (name: string, under: () => BusUnderTest): void => {
  describe(`${name} bus`, () => {
    const withBuses = async (count: number, work: (...buses: Bus[]) => Promise<void>) => {
      const buses = Array.from({ length: count }, () => under().open())
      try {
        await work(...buses)
      } finally {
        await Promise.all(buses.map((bus) => bus.close()))
      }
    }

    test('says how far behind its groups are: not at all when everything is handled', () =>
      withBuses(1, async (bus) => {
        const topic = freshTopic()
        const got = await collect(bus!, topic, `${topic}.a`)
        await bus!.publish(topic, [messageOf('ann', 'ann-1'), messageOf('bob', 'bob-1')])
        await until(got).toEqual(['ann-1', 'bob-1'])
        await expect.poll(() => bus!.lags()).toEqual([{ group: `${topic}.a`, lag: 0 }])
      }))

    test('hands a group that is in no hurry what comes, in order', () =>
      withBuses(1, async (bus) => {
        const topic = freshTopic()
        const got = await collect(bus!, topic, `${topic}.a`, { isUnhurried: true })
        const bodies = Array.from({ length: 20 }, (_, index) => `ann-${String(index).padStart(2, '0')}`)
        for (const body of bodies) await bus!.publish(topic, [messageOf('ann', body)])
        await until(got).toEqual(bodies)
        expect(got).toEqual(bodies)
      }))

    test('keeps the order of a key over many batches', () =>
      withBuses(1, async (bus) => {
        const topic = freshTopic()
        const got = await collect(bus!, topic, `${topic}.a`)
        const keys = ['ann', 'bob', 'cyd', 'dan']
        for (let batch = 0; batch < 10; batch++) {
          const numbers = Array.from({ length: 20 }, (_, index) => batch * 20 + index)
          await bus!.publish(
            topic,
            numbers.map((number) => messageOf(keys[number % 4]!, `${keys[number % 4]}-${number}`)),
          )
        }
        await expect.poll(() => got.length).toBe(200)
        for (const key of keys) {
          const numbers = ofKey(got, key).map((body) => Number(body.split('-')[1]))
          expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
        }
      }))

    test('gives everything to each group', () =>
      withBuses(1, async (bus) => {
        const topic = freshTopic()
        const one = await collect(bus!, topic, `${topic}.one`)
        const other = await collect(bus!, topic, `${topic}.other`)
        await bus!.publish(topic, [messageOf('ann', 'x'), messageOf('bob', 'y')])
        await until(one).toEqual(['x', 'y'])
        await until(other).toEqual(['x', 'y'])
      }))

    test('delivers again, in order and nothing skipped, what a group could not handle', () =>
      withBuses(1, async (bus) => {
        const topic = freshTopic()
        const got: string[] = []
        let failures = 2
        const handle = async (messages: readonly Message[]) => {
          if (failures-- > 0) throw new Error('not now')
          got.push(...messages.map(text))
        }
        await bus!.subscribe(`${topic}.a`, [{ topic, consumer: 'failing', handle }])
        await publishWithRetries(
          bus!,
          topic,
          [1, 2, 3].map((number) => messageOf('ann', `ann-${number}`)),
        )
        await publishWithRetries(bus!, topic, [messageOf('ann', 'ann-4')])
        await expect.poll(() => got).toEqual(['ann-1', 'ann-2', 'ann-3', 'ann-4'])
      }))

    test('gives everything to each subscription of a group, of its own topics', () =>
      withBuses(1, async (bus) => {
        const [topic, other] = [freshTopic(), freshTopic()]
        const [one, two, three] = [
          collecting(topic, { consumer: 'one' }),
          collecting(topic, { consumer: 'two', isUnhurried: true }),
          collecting(other, { consumer: 'three' }),
        ]
        await bus!.subscribe(`${topic}.all`, [one.subscription, two.subscription, three.subscription])
        await bus!.publish(topic, [messageOf('ann', 'x'), messageOf('bob', 'y')])
        await bus!.publish(other, [messageOf('ann', 'z')])
        await until(one.got).toEqual(['x', 'y'])
        await until(two.got).toEqual(['x', 'y'])
        await until(three.got).toEqual(['z'])
        await expect.poll(() => bus!.lags()).toEqual([{ group: `${topic}.all`, lag: 0 }])
      }))

    test('a consumer that fails does not keep another of its group from its messages', () =>
      withBuses(1, async (bus) => {
        const topic = freshTopic()
        const { broken, mend } = breaking(topic)
        const { got, subscription } = collecting(topic)
        await bus!.subscribe(`${topic}.all`, [broken, subscription])
        const publishing = publishWithRetries(bus!, topic, [messageOf('ann', 'x')])
        await expect.poll(() => got[0]).toBe('x')
        mend()
        await publishing
      }))

    test('a group that fails does not keep another from its messages', () =>
      withBuses(1, async (bus) => {
        const topic = freshTopic()
        const { broken, mend } = breaking(topic)
        await bus!.subscribe(`${topic}.broken`, [broken])
        const got = await collect(bus!, topic, `${topic}.well`)
        const publishing = publishWithRetries(bus!, topic, [messageOf('ann', 'x')])
        await expect.poll(() => got[0]).toBe('x')
        mend()
        await publishing
      }))

    test('closing waits for what is being handled', async () => {
      const bus = under().open()
      const topic = freshTopic()
      let hasBegun = () => {}
      let mayEnd = () => {}
      const begun = new Promise<void>((resolve) => {
        hasBegun = resolve
      })
      const end = new Promise<void>((resolve) => {
        mayEnd = resolve
      })
      let isDone = false
      const handle = async () => {
        hasBegun()
        await end
        isDone = true
      }
      await bus.subscribe(`${topic}.a`, [{ topic, consumer: 'slow', handle }])
      const publishing = bus.publish(topic, [messageOf('ann', 'x')])
      await begun
      const closing = bus.close()
      mayEnd()
      await Promise.all([closing, publishing])
      expect(isDone).toBe(true)
    })

    test('says that all is well when it is', () =>
      withBuses(1, async (bus) => {
        await collect(bus!, freshTopic(), 'well')
        await expect.poll(() => bus!.fault()).toBeUndefined()
      }))
  })
}

/** The conformance suite of adapters that store messages outside the process. */
export const durableBusConformance = (name: string, under: () => Required<BusUnderTest>): void => {
  describe(`${name} bus, between processes`, () => {
    test('what was acknowledged outlives a crash, and every message of a group comes', async () => {
      const bus = under().open()
      const topic = freshTopic()
      const got = await collect(bus, topic, `${topic}.a`)
      const bodies = Array.from({ length: 300 }, (_, index) => `ann-${String(index).padStart(3, '0')}`)
      let crashing: Promise<void> | undefined
      for (const [index, body] of bodies.entries()) {
        if (index === 100) crashing = under().crash()
        await publishWithRetries(bus, topic, [messageOf('ann', body)])
      }
      await crashing
      await expect.poll(() => new Set(got).size).toBe(300)
      const firsts = [...new Set(got)]
      expect(firsts).toEqual(bodies)
      await bus.close()
    }, 60_000)

    test('publishes nothing as done that a crash right after could take away', async () => {
      const bus = under().open()
      const topic = freshTopic()
      await publishWithRetries(bus, topic, [messageOf('ann', 'x')])
      await under().crash()
      const got = await collect(bus, topic, `${topic}.later`)
      await until(got).toEqual(['x'])
      await bus.close()
    }, 60_000)

    test('what a process had not handled when it went comes to the next', async () => {
      const topic = freshTopic()
      const [leaving, staying] = [under().open(), under().open()]
      let hasBegun = () => {}
      const begun = new Promise<void>((resolve) => {
        hasBegun = resolve
      })
      const handle = async () => {
        hasBegun()
        throw new Error('this process is about to go')
      }
      await leaving.subscribe(`${topic}.a`, [{ topic, consumer: 'collecting', handle }])
      await staying.publish(topic, [messageOf('ann', 'x'), messageOf('ann', 'y')])
      await begun
      await leaving.close()
      const got = await collect(staying, topic, `${topic}.a`)
      await until(got).toEqual(['x', 'y'])
      await staying.close()
    })

    test('what one of a group’s consumers had not handled when its process went comes to all of them again', async () => {
      const topic = freshTopic()
      const [leaving, staying] = [under().open(), under().open()]
      const quick = collecting(topic, { consumer: 'quick' })
      const handle = async () => {
        throw new Error('this process is about to go')
      }
      await leaving.subscribe(`${topic}.all`, [quick.subscription, { topic, consumer: 'broken', handle }])
      await staying.publish(topic, [messageOf('ann', 'x')])
      await until(quick.got).toEqual(['x'])
      await leaving.close()
      const [one, two] = [collecting(topic, { consumer: 'quick' }), collecting(topic, { consumer: 'broken' })]
      await staying.subscribe(`${topic}.all`, [one.subscription, two.subscription])
      await until(one.got).toEqual(['x'])
      await until(two.got).toEqual(['x'])
      await staying.close()
    })

    test('what was handled does not come again to the next process of the group', async () => {
      const topic = freshTopic()
      const [leaving, staying] = [under().open(), under().open()]
      const before = await collect(leaving, topic, `${topic}.a`)
      await leaving.publish(topic, [messageOf('ann', 'x')])
      await until(before).toEqual(['x'])
      await leaving.close()
      const after = await collect(staying, topic, `${topic}.a`)
      await staying.publish(topic, [messageOf('ann', 'y')])
      await until(after).toEqual(['y'])
      await staying.close()
    })

    test('reports a fault while the other side is away, and no longer', async () => {
      const bus = under().open()
      await collect(bus, freshTopic(), 'telling')
      const crashing = under().crash()
      await expect.poll(() => bus.fault(), { interval: 20 }).toBeDefined()
      await crashing
      // The coordinator keeps the dead member for a session timeout, 10 seconds.
      await expect.poll(() => bus.fault(), { timeout: 40_000 }).toBeUndefined()
      await bus.close()
    }, 80_000)
  })
}
