import { migrate, openDatabase, prepareDatabase, transact } from '@rookery/database'
import { createOutbox, createRelay, type EventTables, eventMigrations, inProcessBus, type Message } from '@rookery/events'
import { startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLiveness, createMetrics, type Liveness, progressing, serveHealth, watchedBus } from '../src/index.ts'

const onError = (error: unknown) => {
  throw error
}

const SHORT = { timeoutMilliseconds: 150 }

describe('a process whose loops are watched', () => {
  let liveness: Liveness
  let health: Awaited<ReturnType<typeof serveHealth>>
  beforeEach(async () => {
    liveness = createLiveness(SHORT)
    health = await serveHealth({ port: 0, host: '127.0.0.1', checks: {}, liveness: liveness.checks, metrics: createMetrics(), onError })
  })
  afterEach(async () => {
    liveness.close()
    await health.close()
  })
  const live = async () => {
    const answer = await fetch(`http://127.0.0.1:${health.port}/health/live`)
    return { status: answer.status, faults: Object.keys(((await answer.json()) as { faults?: object }).faults ?? {}) }
  }
  const WELL = { status: 200, faults: [] }
  /** From here on the test controls time: an answer can take longer than the timeout of a loop. */
  const stopTime = () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    return { passTimeout: () => vi.advanceTimersByTime(SHORT.timeoutMilliseconds + 1) }
  }
  afterEach(() => void vi.useRealTimers())

  test('is not live while a consumer does not come to an end, and is again when it does', async () => {
    const time = stopTime()
    const gate = Promise.withResolvers<void>()
    const bus = watchedBus(inProcessBus(), liveness)
    await bus.subscribe('all', [{ topic: 'a', consumer: 'slow', handle: () => gate.promise }])
    const published = bus.publish('a', [{ key: 'ann', envelope: Buffer.from('x') }])
    expect(await live()).toEqual(WELL)
    time.passTimeout()
    expect(await live()).toEqual({ status: 503, faults: ['consumer slow'] })
    gate.resolve()
    await published
    expect(await live()).toEqual(WELL)
  })

  test('is live while a consumer gets on, however slowly', async () => {
    const time = stopTime()
    const observer = progressing({ handled: () => {}, failed: () => {} }, liveness)
    const gate = Promise.withResolvers<void>()
    const running = liveness.watch('consumer a', () => gate.promise)()
    time.passTimeout()
    expect(await live()).toEqual({ status: 503, faults: ['consumer a'] })
    observer.failed('a')
    expect(await live()).toEqual(WELL)
    gate.resolve()
    await running
  })

  test('is live when a store is away: work that fails ends too', async () => {
    const work = liveness.watch('consumer a', async () => {
      throw new Error('Postgres is away')
    })
    await expect(work()).rejects.toThrow('away')
    expect(await live()).toEqual(WELL)
  })

  describe('with a relay', () => {
    let own: TestDatabase
    beforeEach(async () => {
      own = await startTestPostgres().createDatabase()
      await prepareDatabase(own.url('postgres'), [{ name: 'live' }])
    })
    afterEach(() => own.drop())

    test('is not live while the bus swallows what the relay gave it', async () => {
      const database = openDatabase<EventTables>({ url: own.url('live') })
      await migrate(database.db, eventMigrations)
      const gate = Promise.withResolvers<void>()
      const got: Message[] = []
      const bus = inProcessBus()
      const handle = async (messages: readonly Message[]) => {
        got.push(...messages)
        await gate.promise
      }
      await bus.subscribe('all', [{ topic: 'a', consumer: 'slow', handle }])
      const relay = createRelay({ url: own.url('live'), bus, intervalMilliseconds: 20 })
      liveness.follow('relay', relay.lastRound)
      // An idle relay is alive.
      await expect.poll(async () => relay.lastRound() > 0 && (await live())).toEqual(WELL)
      const outbox = createOutbox({ topic: 'a', now: Date.now, wake: relay.wake })
      const event = { $case: 'accountFollowed' as const, value: { accountId: 'ann', targetId: 'bob' } }
      await transact(database.db, (tx) => outbox.append(tx, [{ key: 'ann', event }]))
      // A relay that is merely late is reported as well.
      await expect.poll(() => got).toHaveLength(1)
      await expect.poll(live).toEqual({ status: 503, faults: ['relay'] })
      gate.resolve()
      await expect.poll(live).toEqual(WELL)
      await relay.close()
      await database.close()
    })
  })
})

test('an event loop that is late is reported, and is well when it is on time again', async () => {
  const liveness = createLiveness({ ...SHORT, lateMilliseconds: 200 })
  const fault = liveness.checks['event loop']!
  expect(await fault()).toBe(undefined)
  for (const end = performance.now() + 900; performance.now() < end; );
  expect(await fault()).toMatch(/^it is \d seconds late$/)
  await expect.poll(fault).toBe(undefined)
  liveness.close()
})
