import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { migrate, openDatabase } from '../packages/database/src/index.ts'
import { NEXT_CONTRACT, ofNextVersion } from '../packages/database/tests/next-version.ts'
import { createLogger, Lifecycle } from '../packages/runtime/src/index.ts'
import { readLocalConfig } from '../scripts/services/config.ts'
import { type LocalServices, startServices } from '../scripts/services.ts'
import { DECLARED } from './chart/declared.ts'
import { personOf } from './local-people.ts'
import { expectOnceEverywhere } from './posting.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const STORED = Object.entries(DECLARED).flatMap(([name, { schema }]) => (schema ? [{ name, schema }] : []))

const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined).join('; ')

/** Asks without limit, each time once: what is not answered with 200 is lost. */
const startAsking = (ask: () => Promise<{ status: number; body: { id?: string } }>) => {
  const lost: string[] = []
  const ids: string[] = []
  let answered = 0
  let isStopped = false
  const go = async () => {
    while (!isStopped) {
      const { status, body } = await ask().catch((error) => ({ status: 0, body: { id: String(error) } }))
      answered++
      if (status !== 200) lost.push(`${status} ${JSON.stringify(body)}`)
      else if (body.id) ids.push(body.id)
    }
  }
  const going = go()
  return {
    lost,
    ids,
    answered: () => answered,
    stop: async () => {
      isStopped = true
      await going
    },
  }
}

describe.skipIf(missing)(missing || 'services with two replicas of what serves', () => {
  const lifecycle = new Lifecycle()
  let folder: string
  let services: LocalServices
  let server: { origin: string; dataDir: string }
  /** What the processes say of their own faults. */
  const faults: string[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rookery-rolling-'))
    const port = await freePorts(1)
    const environment = { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: String(port), RATE_LIMITS: 'off', DRAIN_SECONDS: '2' }
    services = await startServices(
      {
        config: readLocalConfig(environment),
        log: createLogger({ name: 'services', level: 'fatal' }),
        print: (line) => void (line.includes('"level":50') && faults.push(line)),
        replicas: { gateway: 2, auth: 2, statuses: 2 },
        apart: { statuses: ['fan-out'] },
      },
      lifecycle,
    )
    server = { origin: `http://127.0.0.1:${port}`, dataDir: folder }
  }, 300_000)
  afterAll(async () => {
    await lifecycle.close(() => {})
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const restart = async (name: string) => {
    const process = services.processes.get(name)!
    await process.stop()
    process.resume()
    await process.ready()
  }
  const follows = async (follower: Person, author: Person) => {
    await follower.follows(author)
    const first = await author.says(`@${follower.username} first`)
    await expect.poll(() => follower.home().then((page) => page.map(({ id }) => id))).toContain(first.id)
    return first.id as string
  }

  /** Runs what a newer version brings to the schema of each service. */
  const migrateAll = async (phase: 'expand' | 'contract') => {
    const left: string[] = []
    for (const { name, schema } of STORED) {
      const database = openDatabase({ url: services.urlOf(name) })
      left.push(
        ...(await migrate(database.db, await ofNextVersion(database.db, schema.migrations), { phase, timeoutMilliseconds: 60_000 })),
      )
      await database.close()
    }
    return left
  }

  test('lose no request while a newer version adds to their schemas and all are restarted on it, and make each post once', async () => {
    const [author, follower] = [await personOf(server, 'author'), await personOf(server, 'follower')]
    const first = await follows(follower, author)
    const reading = startAsking(() => follower.get('/api/v1/timelines/home'))
    const posting = startAsking(() => author.post('/api/v1/statuses', { status: `@${follower.username} hello` }))
    const names = [...services.processes.keys()].filter((name) => /^(gateway|auth|statuses|notifications-background)/.test(name))
    expect(names).toHaveLength(10)
    expect(await migrateAll('expand')).toEqual(STORED.map(() => NEXT_CONTRACT))
    for (const name of names) {
      await restart(name)
      expect([name, reading.lost, posting.lost], faults.join('\n')).toEqual([name, [], []])
    }
    await Promise.all([reading.stop(), posting.stop()])
    expect([reading.lost, posting.lost]).toEqual([[], []])
    expect(Math.min(reading.answered(), posting.answered())).toBeGreaterThan(50)
    await expectOnceEverywhere([first, ...posting.ids], author, follower)
    // It is there to be taken away, and is not while they run.
    expect(await migrateAll('expand')).toEqual(STORED.map(() => NEXT_CONTRACT))
  }, 300_000)

  test('give up what no one needs any more when the last of them is gone, and cannot start then', async () => {
    await Promise.all([...services.processes.values()].map((process) => process.stop()))
    expect(await migrateAll('contract')).toEqual([])
    const { schema } = DECLARED.notifications
    const database = openDatabase({ url: services.urlOf('notifications') })
    await expect(migrate(database.db, schema.migrations)).rejects.toThrow(
      `newer version, which has taken away what this one needs (${NEXT_CONTRACT})`,
    )
    await database.close()
  }, 60_000)
})
