import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { startKafka, startRedis, startTestPostgres, type TestDatabase, whyNoKafka, whyNoRedis } from '../src/index.ts'

// Starts and restarts real processes.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const ask = async (database: TestDatabase, text: string) => {
  const client = new pg.Client({ connectionString: database.url('postgres') })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const answers = (address: string) =>
  new Promise<boolean>((resolve) => {
    const [host = '', port] = address.split(':')
    const socket = connect(Number(port), host, () => socket.end(() => resolve(true))).once('error', () => resolve(false))
  })

describe('the Postgres of a test run', () => {
  const postgres = startTestPostgres()

  test('gives every test a database of its own, copied from a template', async () => {
    const build = async (database: TestDatabase) => void (await ask(database, 'create table crumb (text text)'))
    const template = await postgres.templateDatabase('stores-test', build)
    const one = await postgres.createDatabase(template)
    const other = await postgres.createDatabase(template)
    await ask(one, `insert into crumb values ('mine')`)
    expect(await ask(one, 'select text from crumb')).toEqual([{ text: 'mine' }])
    expect(await ask(other, 'select text from crumb')).toEqual([])
    await Promise.all([one.drop(), other.drop()])
  })

  test('builds a template once, no matter who asks at the same time', async () => {
    let built = 0
    const build = async () => void built++
    await Promise.all([1, 2, 3].map(() => postgres.templateDatabase('stores-once', build)))
    expect(built).toBe(1)
  })

  test('a template that could not be built is built at the next attempt', async () => {
    const failing = postgres.templateDatabase('stores-twice', async () => {
      throw new Error('no room')
    })
    await expect(failing).rejects.toThrow('no room')
    await postgres.templateDatabase('stores-twice', async () => {})
  })
})

const noRedis = await whyNoRedis()
describe.skipIf(noRedis)(noRedis ?? 'Redis', () => {
  test('is killed and started again at the same address', async () => {
    const redis = await startRedis()
    expect(await answers(redis.address)).toBe(true)
    await redis.kill()
    expect(await answers(redis.address)).toBe(false)
    await redis.start()
    expect(await answers(redis.address)).toBe(true)
    await redis.stop()
  })
})

const noKafka = await whyNoKafka()
describe.skipIf(noKafka)(noKafka ?? 'Kafka', () => {
  test('is killed and goes on at the same address when its folder is started again', { timeout: 240_000 }, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'kafka-test-'))
    const kafka = await startKafka({ dir })
    await kafka.kill()
    expect(await answers(kafka.address)).toBe(false)
    const later = await startKafka({ dir })
    expect(later.address).toBe(kafka.address)
    await later.stop()
    rmSync(dir, { recursive: true })
  })
})
