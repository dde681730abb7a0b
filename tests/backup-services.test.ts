import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLogger, Lifecycle } from '../packages/runtime/src/index.ts'
import { readLocalConfig } from '../scripts/services/config.ts'
import { type LocalServices, startServices } from '../scripts/services.ts'
import { keep } from './backup/keeping.ts'
import { live } from './backup/life.ts'
import { personOf } from './local-people.ts'
import { expectOnceEverywhere, startPosting } from './posting.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined).join('; ')
const STORED = ['media', 'statuses', 'federation', 'notifications', 'auth']

describe.skipIf(missing)(missing ? `services apart, lost as a whole: ${missing}` : 'services apart, lost as a whole', () => {
  let lifecycle = new Lifecycle()
  let root: string
  let server: { origin: string; dataDir: string }
  let services: LocalServices

  const start = async () => {
    lifecycle = new Lifecycle()
    const environment = { PATH: '/usr/bin:/bin', DATA_DIR: server.dataDir, PORT: new URL(server.origin).port, RATE_LIMITS: 'off' }
    const log = createLogger({ name: 'services', level: 'fatal' })
    services = await startServices({ config: readLocalConfig(environment), log, print: () => {} }, lifecycle)
  }
  const urlOf = (role: string) => services.urlOf(role)
  /** The environment of a job in the cluster. */
  const apart = () => ({
    DATA_DIR: server.dataDir,
    KAFKA_BROKERS: services.kafka.address,
    ...Object.fromEntries(STORED.map((name) => [`${name.toUpperCase()}_DATABASE_URL`, services.urlOf(name)])),
  })
  const lose = async (folder: string) => {
    for (; existsSync(folder); await pause(50)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'rookery-apart-'))
    server = { origin: `http://127.0.0.1:${await freePorts(1)}`, dataDir: join(root, 'data') }
    await start()
  }, 300_000)
  afterAll(async () => {
    await lifecycle.close(() => {})
    await lose(root)
  }, 60_000)

  test('have everything back, with other brokers and another Redis', async () => {
    const life = await live(server)
    const poster = await personOf(server, 'poster')
    const reader = await personOf(server, 'reader')
    await reader.follows(poster)
    const posting = startPosting(poster, reader)
    await posting.goesOn(10)
    const more = startPosting(life.author, life.follower)
    const acknowledged = await posting.stop()
    const file = join(root, 'backup.tar.gz')
    expect(await keep(['backup', file], apart())).toMatchObject({ code: 0, said: expect.stringContaining('are in the backup') })
    await more.stop()

    for (const process of services.processes.values()) process.kill()
    await lifecycle.close(() => {})
    await lose(server.dataDir)
    expect(await keep(['restore', file], { DATA_DIR: server.dataDir })).toMatchObject({ code: 0 })
    await start()
    await life.expectBack(urlOf)
    await expectOnceEverywhere(acknowledged, poster, reader)
  }, 400_000)

  test('are not backed up while consumers stand still: what is on its way would be lost', async () => {
    const author = await personOf(server, 'late')
    for (const [name, process] of services.processes) if (name.endsWith('-background') && !name.startsWith('statuses')) await process.stop()
    await author.says('@poster who hears this?')
    const { code, said } = await keep(['backup', join(root, 'late.tar.gz')], { ...apart(), BACKUP_TIMEOUT_SECONDS: '3' })
    expect(said).toMatch(/Consumers that lag: .*notifications-background \(\d+\)/)
    expect(code).toBe(1)
    expect(existsSync(join(root, 'late.tar.gz'))).toBe(false)
  }, 120_000)
})
