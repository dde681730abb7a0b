import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts, startPostgresProxy, startProxy, type TestProxy, whyNoKafka, whyNoRedis } from '@rookery/test-stores'
import { ask, Browser, type Frame, letterText, type Person, startMailServer } from '@rookery/test-world'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../packages/cli/src/index.ts'
import { openConnection } from '../packages/rpc/src/index.ts'
import { createLogger, Lifecycle } from '../packages/runtime/src/index.ts'
import { readLocalConfig } from '../scripts/services/config.ts'
import type { Stores } from '../scripts/services/plan.ts'
import { APART, type LocalServices, startServices } from '../scripts/services.ts'
import { AAC, film, filmTests, hasFilms, phoneClip, stripes, tone } from '../services/media/tests/films.ts'
import { scheduleMany } from './due.ts'
import { editMany, endMany } from './endings.ts'
import { personOf } from './local-people.ts'
import { expectOnceEverywhere, startPosting } from './posting.ts'
import { openReachablePush } from './push/reachable.ts'
import { expectSilentReaderCut } from './silent-reader.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const missing = [await whyNoRedis(), await whyNoKafka()].filter((reason) => reason !== undefined).join('; ')

/** Each step of what follows from a post may wait for a poll. */
const SOON = { timeout: 30_000 }

describe.skipIf(missing)(missing || 'seven services', () => {
  const lifecycle = new Lifecycle()
  let folder: string
  let services: LocalServices
  let server: { origin: string; dataDir: string }
  let postgresProxy: TestProxy
  let kafkaProxy: TestProxy
  let push: Awaited<ReturnType<typeof openReachablePush>>
  let mail: Awaited<ReturnType<typeof startMailServer>>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rookery-services-'))
    const port = await freePorts(2)
    const advertisedPort = port + 1
    push = await openReachablePush()
    mail = await startMailServer()
    const own = { SMTP_URL: mail.url.reveal(), REGISTRATIONS: 'approval', ...push.environment }
    const environment = { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: String(port), RATE_LIMITS: 'off', ...own }
    const given = {
      config: readLocalConfig(environment),
      log: createLogger({ name: 'services', level: 'fatal' }),
      print: () => {},
      apart: APART,
      between: {
        advertisedPort,
        through: async (stores: Stores) => {
          const postgres = await startPostgresProxy(stores.urlOf)
          postgresProxy = postgres
          kafkaProxy = await startProxy(stores.kafkaAddress, { port: advertisedPort })
          for (const proxy of [postgresProxy, kafkaProxy]) lifecycle.onClose('proxy', proxy.close)
          return { ...stores, urlOf: postgres.url, kafkaAddress: kafkaProxy.address }
        },
      },
    }
    services = await startServices(given, lifecycle)
    server = { origin: `http://127.0.0.1:${port}`, dataDir: folder }
  }, 300_000)
  afterAll(async () => {
    await lifecycle.close(() => {})
    await push.close()
    await mail.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const cast = async (name: string) => {
    const author = await personOf(server, `${name}_author`)
    const follower = await personOf(server, `${name}_follower`)
    await follower.follows(author)
    // The feed a follow makes is there when the first post is.
    const first = await author.says(`@${follower.username} first`)
    await expect.poll(() => follower.home().then((page) => page.map(({ id }) => id))).toContain(first.id)
    return { author, follower, first: first.id as string }
  }

  test('carry a post to its follower: home, notification and open stream', async () => {
    const { author, follower } = await cast('line')
    const stream = await follower.listens('user')
    const said = await author.says('tea is ready')
    const frame = await stream.hears(({ event, payload }) => event === 'update' && JSON.parse(payload ?? '{}').id === said.id)
    expect(JSON.parse(frame.payload ?? '{}').content).toContain('tea is ready')
    await expect.poll(() => follower.home().then(([newest]) => newest.id)).toBe(said.id)
    await stream.close()
  })

  test('carry an announcement of the command, and a reaction to it, to open streams', async () => {
    const { author, follower } = await cast('announced')
    const stream = await follower.listens('user')
    const printed: string[] = []
    const terminal = { print: (line: string) => printed.push(line), complain: (line: string) => printed.push(line) }
    expect([await runCommand(['announcements', 'create', 'Tea at five', '--json'], terminal, folder), printed]).toEqual([
      0,
      [expect.any(String)],
    ])
    const { id } = JSON.parse(printed[0]!) as { id: string }
    const heard = await stream.hears(({ event }) => event === 'announcement')
    expect(JSON.parse(heard.payload!)).toMatchObject({ id, content: '<p>Tea at five</p>' })
    expect((await author.asks('PUT', `/api/v1/announcements/${id}/reactions/${encodeURIComponent('🎉')}`)).status).toBe(200)
    const reacted = await stream.hears(({ event }) => event === 'announcement.reaction')
    expect(JSON.parse(reacted.payload!)).toEqual({ name: '🎉', count: 1, announcement_id: id })
    expect(await runCommand(['announcements', 'delete', id], terminal, folder)).toBe(0)
    expect(await stream.hears(({ event }) => event === 'announcement.delete')).toMatchObject({ payload: id })
    await stream.close()
  })

  test('carry a mention to its recipient’s device, and to their mailbox', async () => {
    const [author, reader] = [await personOf(server, 'pushing'), await personOf(server, 'pushed', ['--password', 'known to the test'])]
    const device = await push.subscribe(reader, '/device')
    const browser = new Browser({ base: server.origin, server: server.origin })
    await browser.submit(await browser.visit('/auth/sign_in'), { email: 'pushed', password: 'known to the test' })
    await browser.submit(await browser.visit('/auth/account/mail'), { mention: 'true' })
    await author.says('@pushed tea?')
    await expect.poll(() => push.to('/device').map((pushed) => device.reads(pushed)['body']), SOON).toEqual(['@pushed tea?'])
    await expect.poll(() => mail.letters.map((letter) => letterText(letter)), SOON).toEqual([expect.stringContaining('> @pushed tea?\n')])
  })

  test('carry a report to the mailboxes of staff', async () => {
    await personOf(server, 'guarding', ['--role', 'moderator'])
    const [reporter, reported] = [await personOf(server, 'reporting'), await personOf(server, 'reported')]
    expect((await reporter.post('/api/v1/reports', { account_id: reported.id })).status).toBe(200)
    const own = () => mail.letters.filter(({ to }) => to[0]?.startsWith('guarding@')).map((letter) => letterText(letter))
    await expect.poll(own, SOON).toEqual([expect.stringContaining('About @reported, filed by @reporting')])
  })

  test('hide who signed up, and show them as soon as they are let in', async () => {
    const reader = await personOf(server, 'watching')
    const form = { client_name: 'Tea', redirect_uris: 'tea://done', scopes: 'read write' }
    const { client_id, client_secret } = (await reader.post('/api/v1/apps', form)).body
    const grant = { grant_type: 'client_credentials', client_id, client_secret, scope: 'read write' }
    const { access_token: token } = (await ask(server.origin, 'POST', '/oauth/token', { body: grant })).body
    const body = {
      username: 'newcomer',
      email: 'newcomer@example.org',
      password: 'a password',
      agreement: true,
      locale: 'en',
      reason: 'tea',
    }
    expect((await ask(server.origin, 'POST', '/api/v1/accounts', { token, body })).status).toBe(200)
    const find = async () => (await reader.get('/api/v1/accounts/lookup?acct=newcomer')).status
    expect(await find()).toBe(404)
    expect(await runCommand(['accounts', 'approve', 'newcomer'], { print: () => {}, complain: () => {} }, folder)).toBe(0)
    expect(await find()).toBe(200)
  })

  test('let people in by an invitation, who then follow whose it is', async () => {
    const inviter = await personOf(server, 'inviting', ['--password', 'known to the test'])
    const inside = new Browser({ base: server.origin, server: server.origin })
    await inside.submit(await inside.visit('/auth/sign_in'), { email: 'inviting', password: 'known to the test' })
    const page = await inside.submit(await inside.visit('/auth/account/invites'), { max_uses: '1', expires_in: '1800', autofollow: 'true' })
    const code = /\/invite\/(\w+)"/.exec(page.text)?.[1] ?? ''
    expect((await ask(server.origin, 'GET', `/api/v1/invites/${code}`)).body.invite_code).toBe(code)
    const visitor = new Browser({ base: server.origin, server: server.origin })
    const form = { username: 'invited', email: 'invited@example.org', password: 'a password', agreement: 'true' }
    expect((await visitor.submit(await visitor.visit(`/invite/${code}`), form)).text).toContain('Welcome!')
    const followers = async () => (await inviter.get(`/api/v1/accounts/${inviter.id}/followers`)).body
    await expect
      .poll(() => followers().then((found) => found.map(({ username }: { username: string }) => username)), SOON)
      .toEqual(['invited'])
    expect((await ask(server.origin, 'GET', `/api/v1/invites/${code}`)).status).toBe(401)
  })

  test('answer no calls of strangers', async () => {
    for (const name of ['auth', 'statuses', 'media', 'notifications', 'federation'] as const) {
      const stranger = openConnection(`127.0.0.1:${services.ports.get(name)![0]!.rpc}`)
      expect([name, await stranger.fault()]).toEqual([name, 'it does not answer: UNAUTHENTICATED'])
      stranger.close()
    }
  })

  test('make one status of one Idempotency-Key, however many ask at once', async () => {
    const author = await personOf(server, 'once')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => author.post('/api/v1/statuses', { status: 'once' }, { 'idempotency-key': 'one' })),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await author.home()).toHaveLength(1)
  })

  test('make one list of one Idempotency-Key, and give all who ask at once the same answer', async () => {
    const maker = await personOf(server, 'maker')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => maker.post('/api/v1/lists', { title: 'once' }, { 'idempotency-key': 'one' })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await maker.get('/api/v1/lists')).body).toHaveLength(1)
    const other = await maker.post('/api/v1/lists', { title: 'twice' }, { 'idempotency-key': 'one' })
    expect(other.status).toBe(422)
  })

  test('cut a stream whose reader never reads once a megabyte waits for it', async () => {
    const { author, follower: reader } = await cast('unread')
    const [streaming] = services.ports.get('streaming')!
    const metrics = async () => (await fetch(`http://127.0.0.1:${streaming!.health}/metrics`)).text()
    await expectSilentReaderCut({ author, reader, metrics })
  })

  test('end open streams when Redis is killed, and open others once it is back', async () => {
    const { author, follower } = await cast('stream')
    const stream = await follower.listens('user')
    await services.redis.kill()
    expect(await stream.closed).toBe(1012)
    await expect(follower.listens('user')).rejects.toThrow('503')
    await services.redis.start()
    // A publisher that reaches Redis later than streaming does ends streams once more, because events may be missing on them.
    const hearsAgain = async () => {
      const again = await follower.listens('user').catch(() => undefined)
      if (!again) return 'is refused'
      const said = await author.says('are you there?')
      const isSaid = ({ event, payload }: Frame) => event === 'update' && JSON.parse(payload ?? '').id === said.id
      const heard = again.hears(isSaid).then(() => 'hears')
      const outcome = await Promise.race([heard, again.closed.then((code) => `is ended with ${code}`)])
      await again.close()
      return outcome
    }
    await expect.poll(hearsAgain).toBe('hears')
  })

  const postmaster = () => Number(readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
  const VICTIMS: Record<string, () => Promise<unknown>> = {
    Postgres: async () => process.kill(postmaster(), 'SIGKILL'),
    Redis: async () => {
      await services.redis.kill()
      await pause(300)
      await services.redis.start()
    },
    Kafka: async () => {
      await services.kafka.kill()
      await services.kafka.start()
    },
    'each serving process, one after the other,': async () => {
      for (const process of services.processes.values()) {
        if (!process.name.endsWith('-serve')) continue
        process.kill()
        await pause(100)
        await process.ready()
      }
    },
    'every process at once': async () => {
      const processes = [...services.processes.values()]
      for (const process of processes) process.kill()
      await pause(100)
      await Promise.all(processes.map((process) => process.ready()))
    },
  }

  test.each(Object.keys(VICTIMS))(
    'nothing acknowledged is lost or doubled when %s is killed while someone posts',
    async (victim) => {
      const { author, follower, first } = await cast(victim.replaceAll(/\W/g, '').slice(0, 8).toLowerCase())
      const posting = startPosting(author, follower)
      await posting.goesOn(10)
      await VICTIMS[victim]!()
      await posting.goesOn(10)
      const acknowledged = await posting.stop()
      await expectOnceEverywhere([first, ...acknowledged], author, follower)
    },
    180_000,
  )

  describe.skipIf(!hasFilms)(filmTests('films'), () => {
    const upload = async (person: Person, bytes: Buffer): Promise<string> => {
      const form = new FormData()
      form.set('file', new File([new Uint8Array(bytes)], 'clip.mp4', { type: 'video/mp4' }))
      const { status, body } = await person.post('/api/v2/media', form)
      expect([status, body.url]).toEqual([202, null])
      return body.id
    }
    const stateOf = (person: Person, id: string) => person.get(`/api/v1/media/${id}`).then(({ status }) => status)
    /** What is kept below a folder of media's, by the last part of its name. */
    const filesIn = (name: string) => readdirSync(join(folder, 'media', name), { recursive: true }).map(String)
    const ENDED = { timeout: 120_000 }

    test('are processed by their own process, and played from any place', async () => {
      const author = await personOf(server, 'filming')
      const motion = services.processes.get('media-motion')!
      await motion.suspend()
      const id = await upload(author, await phoneClip())
      expect(await stateOf(author, id)).toBe(206)
      const waiting = await author.post('/api/v1/statuses', { status: 'a clip', media_ids: [id] })
      expect([waiting.status, waiting.body.error]).toEqual([422, expect.stringContaining('not finished processing')])
      motion.resume()
      await motion.ready()
      await expect.poll(() => stateOf(author, id), ENDED).toBe(200)
      const said = await author.says('a clip', { media_ids: [id] })
      const [{ type, url }] = said.media_attachments
      expect(type).toBe('video')
      const whole = Buffer.from(await (await fetch(url)).arrayBuffer())
      const middle = await fetch(url, { headers: { range: `bytes=${whole.length - 100}-` } })
      expect([middle.status, middle.headers.get('content-type')]).toEqual([206, 'video/mp4'])
      expect(Buffer.from(await middle.arrayBuffer())).toEqual(whole.subarray(-100))
    }, 180_000)

    test.each(['Postgres', 'Kafka', 'every process at once'])(
      'are processed, and leave nothing else, when %s is killed in the middle of one',
      async (victim) => {
        const author = await personOf(server, `mid_${victim.slice(0, 5).toLowerCase()}`)
        const long = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p']
        const bytes = await film('mkv', ...stripes({ size: '640x480', rate: 25, seconds: 60 }), ...tone({ seconds: 60 }), ...long, ...AAC)
        const id = await upload(author, bytes)
        const isMaking = () => filesIn('uploads').some((name) => name.endsWith('made.mp4'))
        await expect.poll(isMaking, { timeout: 60_000, interval: 20 }).toBe(true)
        expect(await stateOf(author, id)).toBe(206)
        await VICTIMS[victim]!()
        // While a store is away there is no answer.
        await expect.poll(() => stateOf(author, id), ENDED).toBe(200)
        const { url } = (await author.get(`/api/v1/media/${id}`)).body
        expect((await fetch(url)).status).toBe(200)
        await expect.poll(() => filesIn('uploads'), ENDED).toEqual([])
        await expect.poll(() => filesIn('files').filter((name) => name.endsWith('.upload')), ENDED).toEqual([])
      },
      240_000,
    )
  })

  const readyOf = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(1500) })
    return { status: answer.status, faults: ((await answer.json()) as { faults?: Record<string, string> }).faults ?? {} }
  }
  /** Of the background of statuses, which is beside that of its serving process. */
  const backgroundPort = () => services.ports.get('statuses')![0]!.health + 1
  const SOON_MILLISECONDS = 10_000
  /** A session of a group, and a little more. */
  const KAFKA_SESSION = 12_000
  const since = (begun: number) => performance.now() - begun

  describe('when stores go silent', () => {
    // Postgres notices dead sessions by its keepalives, which a socket of this machine has none of: they would fill its 100 connections.
    afterEach(() => postgresProxy.endSilentFlows())

    test('are used again within seconds after all connections to Postgres died, and lose or double nothing', async () => {
      const { author, follower, first } = await cast('dead')
      const posting = startPosting(author, follower)
      await posting.goesOn(5)
      postgresProxy.dropOpenFlows()
      const begun = performance.now()
      await posting.goesOn(2)
      expect(since(begun)).toBeLessThan(SOON_MILLISECONDS)
      await posting.goesOn(5)
      await expectOnceEverywhere([first, ...(await posting.stop())], author, follower)
    }, 180_000)

    test('say within a second that Postgres does not answer, and are ready when it does', async () => {
      const person = await personOf(server, 'frozen')
      const ports = [services.ports.get('auth')![0]!.health, services.ports.get('statuses')![0]!.health, backgroundPort()]
      postgresProxy.silence()
      for (const port of ports) {
        await expect.poll(() => readyOf(port)).toMatchObject({ status: 503, faults: { database: expect.stringMatching(/./) } })
      }
      expect((await person.get('/api/v1/timelines/home')).status).toBe(503)
      postgresProxy.heal()
      const begun = performance.now()
      for (const port of ports) await expect.poll(() => readyOf(port)).toMatchObject({ status: 200 })
      await expect.poll(() => person.get('/api/v1/timelines/home').then(({ status }) => status)).toBe(200)
      expect(since(begun)).toBeLessThan(SOON_MILLISECONDS)
    }, 180_000)

    test('join Kafka again within seconds when it was silent for longer than a session, are not ready until then, and lose or double nothing', async () => {
      const { author, follower, first } = await cast('silent')
      const posting = startPosting(author, follower)
      await posting.goesOn(5)
      kafkaProxy.silence()
      const begun = performance.now()
      await expect
        .poll(() => readyOf(backgroundPort()))
        .toMatchObject({ status: 503, faults: { bus: expect.stringMatching(/^the brokers do not answer/) } })
      // Members that are silent for a session's time are put out of their groups.
      await expect.poll(() => since(begun)).toBeGreaterThan(KAFKA_SESSION)
      kafkaProxy.heal()
      const back = performance.now()
      // What asked to join while no one answered may be taken for a member, and the others wait for it until its session ends.
      const longest = SOON_MILLISECONDS + 2 * KAFKA_SESSION
      await expect.poll(() => readyOf(backgroundPort()), { timeout: longest }).toEqual({ status: 200, faults: {} })
      expect(since(back)).toBeLessThan(longest)
      await posting.goesOn(5)
      await expectOnceEverywhere([first, ...(await posting.stop())], author, follower)
    }, 180_000)

    test('relay again within half a minute when the process that did died without a word to Postgres', async () => {
      const { author, follower } = await cast('relay')
      postgresProxy.dropOpenFlows()
      const background = services.processes.get('statuses-background')!
      background.kill()
      const begun = performance.now()
      const posting = startPosting(author, follower)
      await posting.goesOn(1)
      const [said] = await posting.stop()
      await expect.poll(() => follower.home().then((page) => page.map(({ id }) => id)), { timeout: 60_000 }).toContain(said)
      expect(since(begun)).toBeLessThan(30_000)
      await background.ready()
    }, 180_000)
  })

  test('what was scheduled is posted once when every process is killed while that is due', async () => {
    const [scheduler, follower] = [await personOf(server, 'scheduler'), await personOf(server, 'reader')]
    await follower.follows(scheduler)
    const due = await scheduleMany(scheduler, join(folder, 'postgres', 'socket'))
    for (const count of [2, 8]) {
      await due.isPosted(count)
      await VICTIMS['every process at once']!()
    }
    await due.isPostedOnce(follower)
  }, 300_000)

  test('the end of each poll and each edit are notified once when every process is killed meanwhile', async () => {
    const [asker, voter] = [await personOf(server, 'asker'), await personOf(server, 'voter')]
    const polls = await endMany(asker, [voter], join(folder, 'postgres', 'socket'))
    await polls.isNotified(2)
    await VICTIMS['every process at once']!()
    const edits = await editMany(asker, [voter])
    await VICTIMS['every process at once']!()
    await polls.isNotifiedOnce()
    await edits.isNotifiedOnce()
  }, 300_000)

  const UNAVAILABLE = { status: 503, body: { error: 'Service Unavailable' } }
  const DOWN: [string, (person: Person) => Promise<{ status: number; body: unknown }>, (person: Person) => Promise<{ status: number }>][] =
    [
      ['notifications', (person) => person.get('/api/v1/notifications'), (person) => person.get('/api/v1/timelines/home')],
      ['federation', (person) => person.get('/api/v2/instance'), (person) => person.get('/api/v1/timelines/home')],
      ['statuses', (person) => person.get('/api/v1/timelines/home'), (person) => person.get('/api/v2/instance')],
      ['auth', (person) => person.get('/api/v1/timelines/home'), (person) => person.asks('GET', '/api/v2/instance', { token: undefined })],
      ['streaming', (person) => person.get('/api/v1/streaming/health'), (person) => person.get('/api/v1/timelines/home')],
      ['gateway', (person) => person.get('/api/v1/timelines/home'), (person) => person.get('/api/v1/streaming/health')],
    ]

  describe('while a part is down', () => {
    // Made before anything goes down: a part that was is reached again by others a moment later than by the gateway.
    const people = new Map<string, Person>()
    beforeAll(async () => {
      for (const [name] of DOWN) people.set(name, await personOf(server, `down_${name}`))
    }, 60_000)

    test.each(DOWN)('%s, what needs it is unavailable and the rest goes on', async (name, needsIt, doesNot) => {
      const person = people.get(name)!
      const down = services.processes.get(`${name}-serve`)!
      await down.suspend()
      try {
        expect(await needsIt(person)).toMatchObject(UNAVAILABLE)
        expect((await doesNot(person)).status).toBe(200)
      } finally {
        down.resume()
        await down.ready()
      }
      await expect
        .poll(() =>
          needsIt(person).then(
            ({ status }) => status < 500,
            () => false,
          ),
        )
        .toBe(true)
    })
  })
})
