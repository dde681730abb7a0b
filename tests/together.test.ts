import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, startProxy, type TestProxy, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
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

/** The session of a member of a group, in milliseconds. */
const KAFKA_SESSION = 12_000

// Decision 38: both halves of a service in one process.
describe.skipIf(missing)(missing || 'services whose halves are together', () => {
  const lifecycle = new Lifecycle()
  let folder: string
  let services: LocalServices
  let kafka: TestProxy
  let server: { origin: string; dataDir: string }

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
    server = { origin: `http://127.0.0.1:${port}`, dataDir: folder }
  }, 300_000)
  afterAll(async () => {
    await lifecycle.close(() => {})
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const cast = async (name: string) => {
    const author = await personOf(server, `${name}_author`)
    const follower = await personOf(server, `${name}_follower`)
    await follower.follows(author)
    // The feed a follow makes is there when the first post is.
    const first = await author.says(`@${follower.username} first`)
    await expect.poll(() => follower.home().then((page) => page.map(({ id }) => id))).toContain(first.id)
    return { author, follower, first: first.id }
  }
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
    const { author, follower, first } = await cast('silent')
    kafka.silence()
    const posting = startPosting(author, follower, { pauseBetween: 200 })
    // A background of its own says by then that they do not answer.
    const begun = performance.now()
    await expect.poll(() => performance.now() - begun).toBeGreaterThan(KAFKA_SESSION)
    await posting.goesOn(3)
    expect([await readyOf('statuses'), await readyOf('notifications')]).toEqual([200, 200])
    expect((await follower.get('/api/v1/timelines/home')).status).toBe(200)
    kafka.heal()
    await posting.goesOn(3)
    await expectOnceEverywhere([first, ...(await posting.stop())], author, follower)
  })

  test('lose nothing that was acknowledged, and do nothing twice, when they are killed while people post', async () => {
    const { author, follower, first } = await cast('killed')
    const posting = startPosting(author, follower)
    await posting.goesOn(3)
    for (const name of ['statuses-whole', 'notifications-whole']) services.processes.get(name)!.kill()
    await posting.goesOn(3)
    await expectOnceEverywhere([first, ...(await posting.stop())], author, follower)
  })
})
