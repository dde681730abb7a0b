import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, startProxy, type TestProxy, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLogger, Lifecycle } from '../packages/runtime/src/index.ts'
import { readLocalConfig } from '../scripts/services/config.ts'
import type { Stores } from '../scripts/services/plan.ts'
import { APART, type LocalServices, startServices } from '../scripts/services.ts'
import { personOf } from './local-people.ts'
import { expectOnceEverywhere, startPosting } from './posting.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 120_000, expect: { poll: { timeout: 60_000 } } })

const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined).join('; ')

// Decision 38: both halves of a service in one process.
describe.skipIf(missing)(missing || 'services whose halves are together', () => {
  const lifecycle = new Lifecycle()
  let folder: string
  let services: LocalServices
  let kafka: TestProxy
  let author: Person
  let follower: Person

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rookery-together-'))
    const port = await freePorts(2)
    const environment = { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: String(port), RATE_LIMITS: 'off' }
    const through = async (stores: Stores) => {
      kafka = await startProxy(stores.kafkaAddress, { port: port + 1 })
      lifecycle.onClose('proxy', kafka.close)
      return { ...stores, kafkaAddress: kafka.address }
    }
    const log = createLogger({ name: 'services', level: 'fatal' })
    const between = { advertisedPort: port + 1, through }
    const given = { config: readLocalConfig(environment), log, print: () => {}, apart: APART, roles: 'together' as const, between }
    services = await startServices(given, lifecycle)
    const server = { origin: `http://127.0.0.1:${port}`, dataDir: folder }
    author = await personOf(server, 'author')
    follower = await personOf(server, 'follower')
    await follower.follows(author)
    const first = await author.says(`@${follower.username} first`)
    await expect.poll(() => follower.home().then((page) => page.map(({ id }) => id))).toContain(first.id)
  }, 300_000)
  afterAll(async () => {
    await lifecycle.close(() => {})
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const readyOf = (service: 'statuses' | 'notifications') =>
    fetch(`http://127.0.0.1:${services.ports.get(service)![0]!.health}/health/ready`).then(({ status }) => status)

  test('are one process each, but for films', () => {
    expect([...services.processes.keys()].sort()).toEqual([
      'auth-whole',
      'federation-whole',
      'gateway-serve',
      'media-motion',
      'media-whole',
      'notifications-whole',
      'statuses-whole',
      'streaming-serve',
    ])
  })

  test('answer while the brokers are silent, and hand out what was posted, once, when those are back', async () => {
    kafka.silence()
    const posting = startPosting(author, follower)
    await posting.goesOn(3)
    expect([await readyOf('statuses'), await readyOf('notifications')]).toEqual([200, 200])
    expect((await follower.get('/api/v1/timelines/home')).status).toBe(200)
    kafka.heal()
    await posting.goesOn(3)
    await expectOnceEverywhere(await posting.stop(), author, follower)
  })

  test('lose nothing that was acknowledged, and do nothing twice, when they are killed while people post', async () => {
    const posting = startPosting(author, follower)
    await posting.goesOn(3)
    for (const name of ['statuses-whole', 'notifications-whole']) services.processes.get(name)!.kill()
    await posting.goesOn(3)
    await expectOnceEverywhere(await posting.stop(), author, follower)
  })
})
