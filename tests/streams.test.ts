import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLogger, Lifecycle } from '../packages/runtime/src/index.ts'
import { readLocalConfig } from '../scripts/services/config.ts'
import { type LocalServices, startServices } from '../scripts/services.ts'
import { personOf } from './local-people.ts'
import { doubled, LISTS, type OpenApp, openApp, outOfOrder } from './open-app.ts'
import { startPosting } from './posting.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined).join('; ')

/** What Redis answers to a command. */
const askRedis = async (address: string, command: string): Promise<string> => {
  const [host, port] = address.split(':')
  const socket = connect(Number(port), host)
  socket.write(`${command}\r\n`)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer)
}

/** How long events may be under way after a fault: Kafka waits for dead consumers before others take over. */
const TIMEOUT = 90_000

// Decision 18: an event reaches each open stream once, or the stream ends and its client reads the event when it comes back. Decision 28: a
// client that resumes gets it then, once, without reading.

describe.skipIf(missing)(missing || 'open streams of services apart', () => {
  const lifecycle = new Lifecycle()
  let folder: string
  let services: LocalServices
  let author: Person
  let follower: Person
  let apps: OpenApp[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rookery-streams-'))
    const port = await freePorts(1)
    const environment = { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: String(port), RATE_LIMITS: 'off', DRAIN_SECONDS: '1' }
    services = await startServices(
      {
        config: readLocalConfig(environment),
        log: createLogger({ name: 'services', level: 'fatal' }),
        print: () => {},
        replicas: { gateway: 2, auth: 2, statuses: 2, streaming: 2 },
        apart: { statuses: ['fan-out'] },
      },
      lifecycle,
    )
    const server = { origin: `http://127.0.0.1:${port}`, dataDir: folder }
    author = await personOf(server, 'author')
    follower = await personOf(server, 'follower')
    await follower.follows(author)
    const first = await author.says(`@${follower.username} first`)
    // The follow takes effect by an event.
    while (!(await follower.home()).some(({ id }) => id === first.id)) await pause(50)
    // Two of each, so that both replicas of streaming have some.
    const transports = ['WebSocket', 'event stream', 'WebSocket', 'event stream'] as const
    apps = [false, true].flatMap((resumes) => transports.map((over) => openApp(follower, server.origin, { over, resumes })))
    await Promise.all(apps.map((app) => app.ready()))
  }, 300_000)
  afterAll(async () => {
    await Promise.all(apps?.map((app) => app.stop()) ?? [])
    await lifecycle.close(() => {})
    rmSync(folder, { recursive: true, force: true })
  }, 90_000)

  const deleteStatus = async (id: string) => {
    const isGone = async () => {
      const answer = await author.asks('DELETE', `/api/v1/statuses/${id}`).catch(() => undefined)
      return answer?.status === 200 || answer?.status === 404
    }
    await expect.poll(isGone).toBe(true)
  }

  /** Expects every app to come to show statuses that are not deleted and no other; no stream brought one twice or too late. */
  const expectShown = async (ids: readonly string[], deleted: ReadonlySet<string>) => {
    const faults = () =>
      apps.flatMap((app) =>
        LISTS.flatMap((list) => {
          const wrong = ids.filter((id) => app.shows(list).has(id) === deleted.has(id))
          return wrong.map((id) => `${app.name} ${deleted.has(id) ? 'still shows' : 'does not show'} the ${list} ${id}`)
        }),
      )
    await expect.poll(faults, { timeout: TIMEOUT }).toEqual([])
    expect([apps.flatMap(doubled), apps.flatMap(outOfOrder)]).toEqual([[], []])
  }

  /**
   * Posts and deletes before, during and after a fault, and expects every app to show exactly what is left. `act` resolves when more was
   * posted and one deleted. Resolves with how streams ended meanwhile. Apps that resume read their pages again at most so often.
   */
  const during = async (
    fault: (act: () => Promise<void>) => Promise<unknown>,
    { maxResyncs = 0 }: { maxResyncs?: number } = {},
  ): Promise<string[]> => {
    await Promise.all(apps.map((app) => app.ready()))
    const resyncs = apps.map((app) => app.resyncs)
    const open = apps.map(({ streams }) => streams.length - 1)
    const posting = startPosting(author, follower, { pauseBetween: 100 })
    const deleted = new Set<string>()
    const act = async () => {
      await posting.goesOn(5)
      const id = posting.acknowledged.at(-3)!
      deleted.add(id)
      await deleteStatus(id)
    }
    try {
      await act()
      await fault(act)
      await act()
    } finally {
      await posting.stop()
    }
    await expectShown(posting.acknowledged, deleted)
    for (const [index, app] of apps.entries()) expect(app.resyncs - resyncs[index]!).toBeLessThanOrEqual(maxResyncs)
    return apps.flatMap(({ streams }, index) => streams.slice(open[index]).flatMap(({ end }) => end ?? []))
  }

  /** Kills processes one after the other, without waiting for those before. */
  const kill = async (names: readonly string[], act: () => Promise<void>) => {
    const processes = names.map((name) => services.processes.get(name)!)
    for (const process of processes) {
      process.kill()
      await act()
    }
    await Promise.all(processes.map((process) => process.ready()))
  }
  const restart = async (names: readonly string[], act: () => Promise<void>) => {
    const processes = names.map((name) => services.processes.get(name)!)
    await Promise.all(processes.map((process) => process.stop()))
    await act()
    for (const process of processes) process.resume()
    await Promise.all(processes.map((process) => process.ready()))
  }
  /** All but streaming; of two replicas the first. */
  const otherProcesses = () => [...services.processes.keys()].filter((name) => !name.startsWith('streaming') && !name.endsWith('-2'))

  test('stay open and miss nothing when each other process is killed, one after the other', async () => {
    const ends = await during((act) => kill(otherProcesses(), act))
    expect(ends).toEqual([])
  }, 300_000)

  test('stay open and miss nothing when the processes of each other service are restarted, as an upgrade does', async () => {
    const ends = await during(async (act) => {
      const byService = Map.groupBy(otherProcesses(), (name) => name.split('-')[0])
      for (const names of byService.values()) await restart(names, act)
    })
    expect(ends).toEqual([])
  }, 300_000)

  test('break when a replica of streaming is killed; their clients come back to the other and miss nothing', async () => {
    const ends = await during((act) => kill(['streaming-serve'], act))
    expect(ends).not.toEqual([])
    expect(ends.filter((end) => !['1006', 'cut'].includes(end))).toEqual([])
  }, 240_000)

  test('are ended when a replica of streaming is restarted; their clients come back to the other and miss nothing', async () => {
    const ends = await during((act) => restart(['streaming-serve-2'], act))
    expect(ends).not.toEqual([])
    expect(ends.filter((end) => !['1001', 'retry'].includes(end))).toEqual([])
  }, 240_000)

  test('miss nothing when consumers are killed between handling an event and announcing it', async () => {
    await Promise.all(apps.map((app) => app.ready()))
    const victims = ['statuses-fan-out', 'notifications-background'].map((name) => services.processes.get(name)!)
    // What is written to Redis waits, announcements too. Streams stay open: it takes less than a second.
    await askRedis(services.redis.address, 'CLIENT PAUSE 60000 WRITE')
    const said = await author.says(`@${follower.username} hello`)
    const handled = async () => [(await follower.home())[0].id, (await follower.notifications())[0].status?.id]
    await expect.poll(handled, { interval: 10 }).toEqual([said.id, said.id])
    await Promise.all(victims.map((victim) => victim.suspend()))
    await askRedis(services.redis.address, 'CLIENT UNPAUSE')
    for (const victim of victims) victim.resume()
    await expectShown([said.id], new Set())
    await Promise.all(victims.map((victim) => victim.ready()))
  }, 240_000)

  /** Stops the process of Redis for longer than presence and every deadline last. */
  const freezeRedis = async () => {
    const [, pid] = /process_id:(\d+)/.exec(await askRedis(services.redis.address, 'INFO server')) ?? []
    if (!pid) throw new Error('Redis does not say its process id')
    process.kill(Number(pid), 'SIGSTOP')
    await pause(15_000)
    process.kill(Number(pid), 'SIGCONT')
  }
  /** What happens to Redis, and how often a client may have to read its pages for it. */
  const REDIS: Record<string, { befall: () => Promise<unknown>; maxResyncs: number }> = {
    // Each publisher that could not publish says so when it is back: the background of three services, and fan-out.
    'is frozen': { befall: freezeRedis, maxResyncs: 5 },
    'is flushed': { befall: () => askRedis(services.redis.address, 'FLUSHALL'), maxResyncs: 1 },
    'is killed': {
      async befall() {
        await services.redis.kill()
        await pause(500)
        await services.redis.start()
      },
      maxResyncs: 3,
    },
    'loses every connection': { befall: () => askRedis(services.redis.address, 'CLIENT KILL TYPE normal'), maxResyncs: 3 },
  }

  test.each(Object.keys(REDIS))(
    'miss nothing when Redis %s; those that end do so with 1012',
    async (fault) => {
      const ends = await during(
        async () => {
          await REDIS[fault]!.befall()
          await Promise.all(apps.map((app) => app.ready()))
        },
        { maxResyncs: REDIS[fault]!.maxResyncs },
      )
      expect(ends.filter((end) => !['1012', 'retry'].includes(end))).toEqual([])
    },
    240_000,
  )
})
