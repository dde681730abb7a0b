import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts, PROGRAM_ENVIRONMENT, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Database, openDatabase } from '../packages/database/src/index.ts'
import { createLogger, Lifecycle } from '../packages/runtime/src/index.ts'
import { readLocalConfig } from '../scripts/services/config.ts'
import { type LocalServices, startServices } from '../scripts/services.ts'
import { newPair, openOtherServers, strangerAt } from '../services/federation/tests/other-server.ts'
import { followsElsewhere, inHome, relationship } from '../services/federation/tests/two-servers.ts'
import { personOf } from './local-people.ts'
import { startPosting } from './posting.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 120_000, expect: { poll: { timeout: 60_000, interval: 200 } } })

const MAIN = resolve(import.meta.dirname, '../services/all-in-one/src/main.ts')
const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined).join('; ')

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

describe.skipIf(missing)(missing || 'seven services and a server in one process', () => {
  const lifecycle = new Lifecycle()
  const folders = ['services', 'one'].map((name) => mkdtempSync(join(tmpdir(), `rookery-federation-${name}-`)))
  const [folder = '', otherFolder = ''] = folders
  const databases: Database<unknown>[] = []
  let services: LocalServices
  let child: ChildProcess
  /** Whether others are asked again at once, though they failed a moment ago. */
  const soon = (look: () => unknown) =>
    expect.poll(async () => {
      await Promise.all(databases.map(askAgain)).catch(() => {})
      return look()
    })
  let mara: Person
  let ann: Person
  let annHere: Json
  let maraThere: Json
  let hosts: { here: string; there: string }

  const embedded = (dataDir: string) => {
    const socket = encodeURIComponent(join(dataDir, 'postgres', 'socket'))
    return openDatabase({ url: `postgres://postgres@localhost:5432/rookery?host=${socket}`, connections: 2 })
  }
  const run = (text: string, values: unknown[] = []): Promise<{ rows: Json[] }> => databases[0]!.pool.query(text, values)

  /** Jobs that wait for a host, or with an activity, that failed do not wait longer. */
  const askAgain = async ({ pool }: Database<unknown>) => {
    await pool.query('update federation.host set next_try_at = null where next_try_at is not null')
    await pool.query('update federation.received_activity set next_try_at = null where next_try_at is not null')
    await pool.query(
      'update federation_jobs._private_jobs set run_at = now() where locked_at is null and run_at > now() and key is not null',
    )
  }

  beforeAll(async () => {
    const [port, otherPort] = [await freePorts(1), await freePorts(1)]
    const environment = { ...PROGRAM_ENVIRONMENT, RATE_LIMITS: 'off', FEDERATION_ALLOW_PRIVATE: 'true' }
    const config = readLocalConfig({ ...environment, PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: String(port) })
    const log = createLogger({ name: 'services', level: 'fatal' })
    child = spawn(process.execPath, [MAIN], {
      env: { ...environment, DATA_DIR: otherFolder, PORT: String(otherPort) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const greeted = once(child.stdout!, 'data')
    services = await startServices({ config, log, print: () => {} }, lifecycle)
    await greeted
    databases.push(embedded(folder), embedded(otherFolder))
    for (const { pool } of databases) pool.on('error', () => {})
    hosts = { here: `localhost:${port}`, there: `localhost:${otherPort}` }
    mara = await personOf({ origin: `http://${hosts.here}`, dataDir: folder }, 'mara')
    ann = await personOf({ origin: `http://${hosts.there}`, dataDir: otherFolder }, 'ann')
    annHere = await followsElsewhere(mara, `@ann@${hosts.there}`)
    maraThere = await followsElsewhere(ann, `@mara@${hosts.here}`)
  }, 300_000)

  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()))
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
    await lifecycle.close(() => {})
    for (const each of folders) rmSync(each, { recursive: true, force: true })
  }, 60_000)

  const read = async (person: Person, id: string): Promise<Json> => (await person.get(`/api/v1/statuses/${id}`)).body
  const copyOf = async (person: Person, uri: string): Promise<Json> => {
    await soon(async () => (await inHome(person, uri))?.uri).toBe(uri)
    return inHome(person, uri)
  }

  test('people follow each other, both ways', async () => {
    await soon(() => relationship(mara, annHere)).toMatchObject({ following: true, followed_by: true })
    await soon(() => relationship(ann, maraThere)).toMatchObject({ following: true, followed_by: true })
  })

  test.each([
    ['the one process', () => [mara, ann] as const, () => `@mara@${hosts.here}`],
    ['the services', () => [ann, mara] as const, () => `@ann@${hosts.there}`],
  ])('what is done reaches %s', async (_to, people, handle) => {
    const [author, reader] = people()
    const said = await author.says('who hears me?', { poll: { options: ['I', 'no one'], expires_in: 3600 } })
    const copy = await copyOf(reader, said.uri)
    const reply = await reader.says(`${handle()} I do`, { in_reply_to_id: copy.id })
    await reader.reacts('favourite', copy)
    await reader.reacts('reblog', copy)
    expect((await reader.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices: [0] })).status).toBe(200)
    const seen = async () => {
      const { replies_count, favourites_count, reblogs_count, poll } = await read(author, said.id)
      return [replies_count, favourites_count, reblogs_count, poll.options.map((option: Json) => option.votes_count)]
    }
    await soon(seen).toEqual([1, 1, 1, [1, 0]])
    expect((await author.get(`/api/v1/statuses/${said.id}/context`)).body.descendants.map(({ uri }: Json) => uri)).toEqual([reply.uri])
    const note = await author.says('one robbin')
    const noteCopy = await copyOf(reader, note.uri)
    await author.asks('PUT', `/api/v1/statuses/${note.id}`, { body: { status: 'one robin' } })
    await soon(async () => (await read(reader, noteCopy.id)).content).toContain('one robin')
    await author.asks('DELETE', `/api/v1/statuses/${note.id}`)
    await soon(async () => (await reader.get(`/api/v1/statuses/${noteCopy.id}`)).status).toBe(404)
  })

  const WAITING = `from pg_stat_activity where wait_event_type = 'Lock' and query ~* $1`
  const count = async (rest: string, values: unknown[] = []): Promise<number> =>
    (await run(`select count(*)::int ${rest}`, values)).rows[0].count

  /** What the process that was killed had taken for a while is free at once. */
  const endLeases = async () => {
    await run('update federation.remote_actor set working_until = now() where working_until is not null')
    await run('update federation.host set sending_until = now() where sending_until is not null')
  }
  const background = () => services.processes.get('federation-background')!
  const startBackground = async () => {
    await endLeases()
    background().resume()
    await background().ready()
  }

  /** Kills the background once a statement waits for a table that is locked before the act, and starts it again. */
  const killWhileItWaits = async (given: { lock: string; statement: string; isItsOwn?: boolean; act: () => unknown }) => {
    const held = await databases[0]!.pool.connect()
    try {
      await held.query('begin')
      await held.query(`lock table ${given.lock} mode`)
      await given.act()
      await expect.poll(() => count(WAITING, [given.statement])).toBeGreaterThan(0)
      await background().suspend()
      // A statement of the killed process ends with it, as if it had not been sent.
      if (given.isItsOwn ?? true) await run(`select pg_terminate_backend(pid, 5000) ${WAITING}`, [given.statement])
      await held.query('rollback')
    } finally {
      held.release()
    }
    await startBackground()
  }

  /** What someone said is in a home once, and notified once. */
  const isThereOnce = async (reader: Person, uri: string) => {
    await copyOf(reader, uri)
    const notified = async () => (await reader.notifications('?types[]=mention')).filter(({ status }) => status?.uri === uri).length
    await soon(notified).toBe(1)
    await soon(() => count('from federation.received_activity where done_at is null')).toBe(0)
    expect((await reader.home('?limit=40')).filter((status) => status.uri === uri)).toHaveLength(1)
    expect(await notified()).toBe(1)
  }

  describe('an activity that was accepted is worked once when the background is killed', () => {
    test('before its work has begun', async () => {
      let uri = ''
      const act = async () => {
        uri = (await ann.says(`@mara@${hosts.here} before`)).uri
      }
      await killWhileItWaits({ lock: 'federation.remote_actor in share', statement: 'remote_actor set working_until', act })
      await isThereOnce(mara, uri)
    })

    test('while statuses stores it', async () => {
      let uri = ''
      const act = async () => {
        uri = (await ann.says(`@mara@${hosts.here} while`)).uri
      }
      await killWhileItWaits({ lock: 'statuses.status_head in share', statement: '.', isItsOwn: false, act })
      await isThereOnce(mara, uri)
    })

    test('before its end is noted', async () => {
      await background().suspend()
      const { uri } = await ann.says(`@mara@${hosts.here} after`)
      await soon(() => count('from federation.received_activity where done_at is null')).toBe(1)
      await endLeases()
      const act = () => background().resume()
      await killWhileItWaits({ lock: 'federation.received_activity in share', statement: 'update received_activity set done_at', act })
      await isThereOnce(mara, uri)
    })
  })

  test('what was delivered is there once when the background is killed before that is noted', async () => {
    child.kill('SIGSTOP')
    const { uri } = await mara.says(`@ann@${hosts.there} delivered`)
    await expect
      .poll(() => count('from federation.delivery join federation.host using (domain) where done_at is null and sending_until > now()'))
      .toBe(1)
    await killWhileItWaits({
      lock: 'federation.delivery in share',
      statement: 'update delivery set done_at',
      act: () => child.kill('SIGCONT'),
    })
    await isThereOnce(ann, uri)
  })

  const postmaster = () => Number(readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  const killed = (name: string) => async () => {
    services.processes.get(name)!.kill()
    await pause(100)
    await services.processes.get(name)!.ready()
  }
  const VICTIMS: [string, () => unknown][] = [
    ['federation-serve', killed('federation-serve')],
    ['federation-background', killed('federation-background')],
    ['statuses-background', killed('statuses-background')],
    ['Postgres', () => process.kill(postmaster(), 'SIGKILL')],
    ['Kafka', () => services.kafka.kill().then(() => services.kafka.start())],
  ]

  test('nothing is lost, doubled or overtaken when each process and store is killed', async () => {
    const elsewhere = (person: Person, host: string) => ({ username: `${person.username}@${host}` }) as Person
    const out = startPosting(mara, elsewhere(ann, hosts.there), { pauseBetween: 1500 })
    const back = startPosting(ann, elsewhere(mara, hosts.here), { pauseBetween: 1500 })
    for (const [, kill] of VICTIMS) {
      await out.goesOn(3)
      await kill()
    }
    await out.goesOn(3)
    const [sent, answered] = await Promise.all([out.stop(), back.stop()])
    const arrived = async (reader: Person, path: string, from: string) => {
      const uris: string[] = []
      for (let page = ''; ; ) {
        const { body } = await reader.get(`${path}limit=40${page}`)
        if (!Array.isArray(body)) return []
        if (body.length === 0) break
        uris.push(...body.map((item: Json) => (item.status ?? item).uri as string))
        page = `&max_id=${body.at(-1).id}`
      }
      return uris.filter((uri) => uri.includes(from)).reverse()
    }
    const urisOf = (ids: readonly string[], person: Person, host: string) =>
      ids.map((id) => `http://${host}/users/${person.username}/statuses/${id}`)
    for (const [reader, uris, from] of [
      [ann, urisOf(sent, mara, hosts.here), hosts.here],
      [mara, urisOf(answered, ann, hosts.there), hosts.there],
    ] as const) {
      for (const path of ['/api/v1/timelines/home?', '/api/v1/notifications?types[]=mention&']) {
        const its = async () => (await arrived(reader, path, from)).filter((uri) => uris.includes(uri))
        await soon(async () => (await its()).length).toBe(uris.length)
        expect(await its()).toEqual(uris)
      }
    }
  }, 240_000)

  test('a fan-out to many inboxes is finished when the background is killed in its middle, and each host gets all of it in order', async () => {
    const HOSTS = 10
    const others = await openOtherServers({ address: '0.0.0.0' })
    onTestFinished(others.close)
    const pair = newPair()
    for (let number = 0; number < HOSTS; number++) {
      const stranger = strangerAt(others, `127.0.0.${number + 2}`, 'fan', { pair })
      const follow = { id: `${stranger.origin}/follows/1`, type: 'Follow', actor: stranger.uri, object: `http://${hosts.here}/users/mara` }
      const body = Buffer.from(JSON.stringify(follow))
      const inbox = `http://${hosts.here}/inbox`
      expect((await fetch(inbox, { method: 'POST', headers: stranger.signed(inbox, body), body })).status).toBe(202)
    }
    await soon(() => others.posted().filter(({ body }) => body.includes('"Accept"')).length).toBe(HOSTS)
    others.arrived.length = 0
    let held = 0
    // Half of the hosts do not answer.
    others.on('POST', ({ host }, response) => {
      const [, number] = /\.(\d+):/.exec(host) ?? []
      if (Number(number) % 2) held++
      else response.writeHead(202).end()
    })
    const said = await mara.says('to all')
    const DELIVERED = `from federation.delivery where result = 'delivered' and domain like '127.%' and activity_id like '%' || $1 || '%'`
    await soon(() => count(DELIVERED, [said.id])).toBe(HOSTS / 2)
    await soon(() => held).toBeGreaterThan(0)
    await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'to all of you' } })
    const MADE = `from federation.delivery where domain like '127.%' and activity_id like '%' || $1 || '%'`
    await expect.poll(() => count(MADE, [said.id])).toBe(2 * HOSTS)
    await mara.asks('DELETE', `/api/v1/statuses/${said.id}`)
    await expect.poll(() => count(MADE, [said.id])).toBe(3 * HOSTS)
    await background().suspend()
    others.off('POST')
    await startBackground()
    // Other things may be on their way to followers, as the votes of a poll some minutes later.
    const arrivedAt = (number: number): Json[] =>
      others
        .posted()
        .filter(({ host, body }) => host.startsWith(`127.0.0.${number + 2}:`) && body.includes(said.id))
        .map(({ body }) => JSON.parse(String(body)))
    const numbers = Array.from({ length: HOSTS }, (_, number) => number)
    await soon(() => numbers.filter((number) => arrivedAt(number).some(({ type }) => type === 'Delete')).length).toBe(HOSTS)
    for (const number of numbers) {
      const activities = arrivedAt(number)
      // In order, and again only where there was no answer, or none that was noted before the kill.
      expect(activities.map(({ type }) => type).join(' ')).toMatch(/^(?:Create )+(?:Update )+Delete(?: Delete)*$/)
      expect(new Set(activities.map(({ id }) => id)).size).toBe(3)
    }
  })
})
