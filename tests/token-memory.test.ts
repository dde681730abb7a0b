import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePorts, startProxy, type TestProxy, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
import { Person } from '@rookery/test-world'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../packages/cli/src/index.ts'
import { createLogger, Lifecycle } from '../packages/runtime/src/index.ts'
import { readLocalConfig } from '../scripts/services/config.ts'
import type { Stores } from '../scripts/services/plan.ts'
import { supervise } from '../scripts/services/supervised.ts'
import { type LocalServices, startServices } from '../scripts/services.ts'
import { personOf } from './local-people.ts'

// Real processes start here.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000, interval: 5 } } })

const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined).join('; ')

const RPC_KEY = 'known to the processes of this test alone'
/** How long a gateway remembers, in milliseconds. */
const MAX_AGE = 1000

// Decision 41: gateways remember whom tokens belong to.
describe.skipIf(missing)(missing || 'two gateways that remember tokens, and one that does not', () => {
  const lifecycle = new Lifecycle()
  let folder: string
  let services: LocalServices
  let redis: TestProxy
  let server: { origin: string; dataDir: string }
  /** Where each of the two answers, and the third. */
  let remembering: string[]
  let asking: string
  let people = 0

  /** A gateway beside those of the services that asks auth at each request. */
  const startAsking = async (baseUrl: string, redisUrl: string) => {
    const port = await freePorts(2)
    const names = ['auth', 'statuses', 'media', 'notifications', 'federation'] as const
    const addresses = names.map((name) => [`${name.toUpperCase()}_ADDRESS`, `127.0.0.1:${services.ports.get(name)![0]!.rpc}`])
    const gateway = supervise({
      name: 'gateway-asking',
      file: resolve('services/gateway/src/serve.ts'),
      healthPort: port + 1,
      environment: {
        ...Object.fromEntries(addresses),
        ...{ TOKEN_MEMORY: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'silent', RPC_KEY, BASE_URL: baseUrl, DATA_DIR: folder },
        ...{ HTTP_PORT: String(port), HEALTH_PORT: String(port + 1), REDIS_URL: redisUrl },
      },
      print: () => {},
    })
    lifecycle.onClose('asking', gateway.stop)
    await gateway.ready()
    return `http://127.0.0.1:${port}`
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rookery-token-memory-'))
    const port = await freePorts(1)
    const environment = { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: String(port), RATE_LIMITS: 'off', RPC_KEY }
    const config = readLocalConfig(environment)
    const through = async (stores: Stores) => {
      redis = await startProxy(new URL(stores.redisUrl).host)
      lifecycle.onClose('proxy', redis.close)
      return { ...stores, redisUrl: `redis://${redis.address}` }
    }
    const log = createLogger({ name: 'services', level: 'fatal' })
    services = await startServices({ config, log, print: () => {}, replicas: { gateway: 2 }, between: { through } }, lifecycle)
    server = { origin: `http://127.0.0.1:${port}`, dataDir: folder }
    remembering = services.ports.get('gateway')!.map(({ http }) => `http://127.0.0.1:${http}`)
    asking = await startAsking(config.baseUrl, `redis://${redis.address}`)
  }, 300_000)
  afterAll(async () => {
    await lifecycle.close(() => {})
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const command = async (...words: string[]) => {
    const lines: string[] = []
    const terminal = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
    expect([await runCommand(words, terminal, folder), lines]).toEqual([0, expect.anything()])
  }
  const someone = () => personOf(server, `someone${people++}`)
  /** The status of an answer that needs a token. */
  const statusAt = (origin: string, { token }: Person) =>
    new Person({ id: '', username: '', token, origin }).get('/api/v1/preferences').then(({ status }) => status)

  /** How often auth was asked whom tokens belong to. */
  const questions = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${services.ports.get('auth')![0]!.health}/metrics`)).text()
    const counts = metrics.matchAll(/^rookery_rpc_server_duration_seconds_count\{method="[^"]*Tokens\/Check"[^}]*\} (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  /** The questions that some requests cost, one after the other. */
  const costOf = async (origin: string, person: Person, requests: number) => {
    const before = await questions()
    for (let count = 0; count < requests; count++) expect(await statusAt(origin, person)).toBe(200)
    return (await questions()) - before
  }
  const remembersAgain = async () => {
    const person = await someone()
    for (const origin of remembering) await expect.poll(() => costOf(origin, person, 10)).toBeLessThan(5)
  }

  test('ask auth seldom for many requests of a token, and the third for each', async () => {
    await remembersAgain()
    const person = await someone()
    expect(await costOf(asking, person, 20)).toBe(20)
    expect(await costOf(remembering[0]!, person, 20)).toBeLessThan(10)
  })

  const ENDS: [string, number, (person: Person) => Promise<unknown>][] = [
    ['is revoked', 401, ({ token }) => command('tokens', 'revoke', token)],
    ['is that of a login that is disabled', 403, ({ username }) => command('accounts', 'disable', username)],
    ['is that of an account that is suspended', 403, ({ username }) => command('accounts', 'suspend', username)],
  ]
  test.each(ENDS)('refuse a token everywhere as soon as it %s', async (_name, refused, end) => {
    const took: number[] = []
    for (let round = 0; round < 5; round++) {
      const person = await someone()
      for (const origin of remembering) expect(await statusAt(origin, person)).toBe(200)
      await end(person)
      const ended = performance.now()
      for (const origin of remembering) await expect.poll(() => statusAt(origin, person)).toBe(refused)
      took.push(performance.now() - ended)
    }
    // Mostly far less than what is left of a second, also where the machine is busy: the notice was there.
    expect(took.sort((a, b) => a - b)[2]).toBeLessThan(MAX_AGE / 2)
  })

  describe('when notices are cut', () => {
    afterEach(async () => {
      redis.endSilentFlows()
      await remembersAgain()
    })

    test('refuse a revoked token after a second at the latest', async () => {
      const cast = await Promise.all([someone(), someone(), someone()])
      redis.dropOpenFlows()
      const lastTaken: number[] = []
      for (const person of cast) {
        const [origin] = remembering as [string]
        expect(await statusAt(origin, person)).toBe(200)
        await command('tokens', 'revoke', person.token)
        const revoked = performance.now()
        let [sent, status] = [0, 200]
        while (status === 200) {
          const begun = performance.now()
          status = await statusAt(origin, person)
          if (status === 200) sent = begun - revoked
        }
        expect(status).toBe(401)
        lastTaken.push(sent)
      }
      // It was remembered, and no longer than it may be.
      expect(Math.max(...lastTaken)).toBeGreaterThan(0)
      expect(Math.max(...lastTaken)).toBeLessThan(MAX_AGE)
    })

    test('ask for each request while Redis is gone, and refuse a revoked token at once', async () => {
      const person = await someone()
      await services.redis.kill()
      await expect.poll(() => costOf(remembering[0]!, person, 10)).toBe(10)
      await command('tokens', 'revoke', person.token)
      expect(await statusAt(remembering[0]!, person)).toBe(401)
      await services.redis.start()
    })
  })
})
