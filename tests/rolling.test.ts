import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger, Opened } from '../packages/runtime/src/index.ts'
import { freePorts, type Person, whyNoKafka, whyNoRedis } from '../packages/testkit/src/index.ts'
import { readLocalConfig } from '../scripts/services/config.ts'
import { type LocalServices, startServices } from '../scripts/services.ts'
import { personOf } from './local-people.ts'
import { expectOnceEverywhere } from './posting.ts'

const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined).join('; ')

/** Asks without end, each time once: what is not answered with 200 is lost. */
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
  const opened = new Opened()
  let folder: string
  let services: LocalServices
  let server: { origin: string; dataDir: string }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rookery-rolling-'))
    const port = await freePorts(1)
    const environment = { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: String(port), RATE_LIMITS: 'off', DRAIN_SECONDS: '2' }
    services = await startServices(
      {
        config: readLocalConfig(environment),
        log: createLogger({ name: 'services', level: 'fatal' }),
        print: () => {},
        replicas: { gateway: 2, auth: 2, statuses: 2 },
      },
      opened,
    )
    server = { origin: `http://127.0.0.1:${port}`, dataDir: folder }
  }, 300_000)
  afterAll(async () => {
    await opened.close(() => {})
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
    await expect.poll(() => follower.home().then((page) => page.map(({ id }) => id)), { timeout: 20_000 }).toContain(first.id)
    return first.id as string
  }

  test('lose no request while every process is restarted, one after the other, and make each post once', async () => {
    const [author, follower] = [await personOf(server, 'author'), await personOf(server, 'follower')]
    const first = await follows(follower, author)
    const reading = startAsking(() => follower.get('/api/v1/timelines/home'))
    const posting = startAsking(() => author.post('/api/v1/statuses', { status: `@${follower.username} hello` }))
    const names = [...services.processes.keys()].filter((name) => /^(gateway|auth|statuses|notifications-background)/.test(name))
    expect(names).toHaveLength(9)
    for (const name of names) {
      await restart(name)
      expect([name, reading.lost, posting.lost]).toEqual([name, [], []])
    }
    await Promise.all([reading.stop(), posting.stop()])
    expect([reading.lost, posting.lost]).toEqual([[], []])
    expect(Math.min(reading.answered(), posting.answered())).toBeGreaterThan(50)
    await expectOnceEverywhere([first, ...posting.ids], author, follower)
  }, 300_000)
})
