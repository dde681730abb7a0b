import { startKafka, whyNoKafka } from '@rookery/testkit/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bus, inProcessBus } from '../src/index.ts'
import { kafkaBus } from '../src/kafka/bus.ts'
import { busConformance, durableBusConformance } from './bus.conformance.ts'

busConformance('in-process', () => ({ open: inProcessBus }))

describe('in-process bus', () => {
  test('publish resolves only when every group has handled', async () => {
    const bus: Bus = inProcessBus()
    const done: string[] = []
    const group = (name: string, turns: number) => ({
      topic: 'a',
      group: name,
      handle: async () => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        done.push(name)
      },
    })
    await bus.subscribe(group('slow', 50))
    await bus.subscribe(group('quick', 0))
    await bus.publish('a', [{ key: 'ann', envelope: Buffer.from('x') }])
    expect(done).toEqual(['quick', 'slow'])
  })

  test('publish throws when a group could not handle, so that the publisher keeps the messages', async () => {
    const bus = inProcessBus()
    const handle = async () => {
      throw new Error('no')
    }
    await bus.subscribe({ topic: 'a', group: 'failing', handle })
    await expect(bus.publish('a', [{ key: 'ann', envelope: Buffer.from('x') }])).rejects.toThrow('no')
  })
})

const noKafka = await whyNoKafka()
describe.skipIf(noKafka)(noKafka ?? 'Kafka', () => {
  let kafka: Awaited<ReturnType<typeof startKafka>>
  beforeAll(async () => {
    kafka = await startKafka()
  }, 240_000)
  afterAll(() => kafka.stop())
  const open = () => kafkaBus({ brokers: [kafka.address], clientId: 'conformance', sessionMilliseconds: 6000 })
  const crash = async () => {
    await kafka.kill()
    await kafka.start()
  }
  busConformance('Kafka', () => ({ open }))
  durableBusConformance('Kafka', () => ({ open, crash }))
})
