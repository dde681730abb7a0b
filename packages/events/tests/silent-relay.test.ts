import { type SessionLimits, transact } from '@rookery/database'
import { startPostgresProxy } from '@rookery/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readEnvelope } from '../src/envelope.ts'
import { type Bus, createRelay, inProcessBus, type Message, type Relay, type RelayOptions } from '../src/index.ts'
import { followed, openSchema, outboxOf } from './schema.ts'

const LIMITS: SessionLimits = { connect: 300, silence: 100, statement: 1000 }
const IDLE_MILLISECONDS = 800

const targetOf = ({ envelope }: Message) => {
  const event = readEnvelope(envelope)?.event
  return event?.$case === 'accountFollowed' ? event.value.targetId : ''
}

describe('a relay whose connection dies without a word', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>>
  let bus: Bus
  let arrived: string[]
  const relays: Relay[] = []

  beforeEach(async () => {
    schema = await openSchema()
    proxy = await startPostgresProxy(schema.own.url)
    bus = inProcessBus()
    arrived = []
    const handle = async (messages: readonly Message[]) => void arrived.push(...messages.map(targetOf))
    await bus.subscribe('watch', [{ topic: 'a', consumer: 'watch', handle }])
  })
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.close()))
    await proxy.close()
    await schema.close()
  })

  const open = (options: Partial<RelayOptions> = {}) => {
    const relay = createRelay({
      url: schema.url,
      bus,
      intervalMilliseconds: 50,
      limits: LIMITS,
      idleMilliseconds: IDLE_MILLISECONDS,
      ...options,
    })
    relays.push(relay)
    return relay
  }
  const openThroughProxy = async (options: Partial<RelayOptions> = {}) => {
    const relay = open({ url: proxy.url('events_test'), ...options })
    await relay.drain()
    expect(relay.isHolding()).toBe(true)
    return relay
  }
  const append = (...targets: string[]) => transact(schema.database.db, (tx) => outboxOf().append(tx, targets.map(followed)))

  test('goes on over a new one, and is not kept off by its own lock', async () => {
    const relay = await openThroughProxy({ idleMilliseconds: 60_000 })
    proxy.dropOpenFlows()
    await append('1')
    await expect.poll(() => arrived).toEqual(['1'])
    expect(relay.isHolding()).toBe(true)
  })

  test('loses the lock to another one when it cannot be heard any more', async () => {
    await openThroughProxy()
    const other = open()
    await append('1')
    await expect.poll(() => arrived).toEqual(['1'])
    expect(other.isHolding()).toBe(false)
    proxy.silence()
    await append('2')
    await expect.poll(() => arrived).toEqual(['1', '2'])
    expect(other.isHolding()).toBe(true)
  })

  test('keeps the lock while the bus takes its time', async () => {
    const { promise: published, resolve: publish } = Promise.withResolvers<void>()
    const slow: Bus = { ...bus, publish: () => published }
    await append('1')
    const relay = open({ url: proxy.url('events_test'), bus: slow })
    await expect.poll(() => relay.isHolding()).toBe(true)
    const other = open({ bus: slow })
    await expect.poll(() => other.stalledMilliseconds()).toBeGreaterThan(2 * IDLE_MILLISECONDS)
    expect([relay.isHolding(), other.isHolding()]).toEqual([true, false])
    publish()
    await expect.poll(() => other.stalledMilliseconds()).toBe(0)
  })

  test('is seen by every relay to move nothing, as long as the oldest event stays the same', async () => {
    const holder = await openThroughProxy({ idleMilliseconds: 60_000 })
    const other = open()
    await append('1')
    await expect.poll(() => arrived).toEqual(['1'])
    await expect.poll(() => [holder.stalledMilliseconds(), other.stalledMilliseconds()]).toEqual([0, 0])
    proxy.silence()
    await append('2')
    await expect.poll(() => other.stalledMilliseconds()).toBeGreaterThan(500)
    expect(other.isHolding()).toBe(false)
    await schema.database.db.deleteFrom('outbox').execute()
    await expect.poll(() => other.stalledMilliseconds()).toBe(0)
  })
})
