import { type Database, openDatabase, prepareDatabase } from '@rookery/database'
import { startPostgresProxy, startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMetrics, databaseCheck, faultsOf, outboxCheck, serveHealth } from '../src/index.ts'

describe('a process whose database goes silent', () => {
  let own: TestDatabase
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>>
  let database: Database<object>
  let health: Awaited<ReturnType<typeof serveHealth>>
  beforeEach(async () => {
    own = await startTestPostgres().createDatabase()
    await prepareDatabase(own.url('postgres'), [{ name: 'checked' }])
    proxy = await startPostgresProxy(own.url)
  })
  /** Serves the health of a process with this statement timeout, in milliseconds. */
  const open = async (statement: number) => {
    database = openDatabase({ url: proxy.url('checked'), connections: 2, limits: { connect: 3000, silence: 100, statement } })
    const checks = { database: databaseCheck(database), bus: () => 'the brokers do not answer' }
    health = await serveHealth({ port: 0, host: '127.0.0.1', checks, metrics: createMetrics(), onError: () => {} })
  }
  afterEach(async () => {
    await health.close()
    await database.close()
    await proxy.close()
    await own.drop()
  })
  /** The faults, with a timeout of a second. A busy machine may take longer once, so tests poll while the fault lasts. */
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${health.port}/health/ready`, { signal: AbortSignal.timeout(1000) })
    return ((await answer.json()) as { faults: object }).faults
  }
  const BUS = { bus: 'the brokers do not answer' }

  test('says so within a second, with all that is amiss, and is ready when it answers', async () => {
    await open(400)
    await expect.poll(ready).toEqual(BUS)
    proxy.silence()
    for (let times = 0; times < 3; times++)
      await expect.poll(ready).toEqual({ ...BUS, database: expect.stringMatching(/not answer|timeout/) })
    proxy.heal()
    await expect.poll(ready).toEqual(BUS)
  })

  test('is ready while statements are answered, however many wait before the question', async () => {
    await open(60_000)
    let isOver = false
    const busy = Array.from({ length: 20 }, async () => {
      while (!isOver) await database.pool.query('select pg_sleep(0.1)')
    })
    await expect.poll(() => database.pool.waitingCount).toBe(18)
    await expect.poll(ready).toEqual(BUS)
    isOver = true
    await Promise.all(busy)
  })
})

test('an outbox whose oldest event stays is a fault, and one that moves is none', async () => {
  let stalled = 31_400
  const checks = { outbox: outboxCheck({ stalledMilliseconds: () => stalled }) }
  expect(await faultsOf(checks)).toEqual({ outbox: 'the oldest event has waited for 31 seconds and nothing is relayed' })
  stalled = 29_000
  expect(await faultsOf(checks)).toEqual({})
})
