import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePorts, PROGRAM_ENVIRONMENT } from '@rookery/test-stores'
import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { scheduleMany } from './due.ts'
import { editMany, endMany } from './endings.ts'
import { holdAnswers } from './held-answers.ts'
import { personOf } from './local-people.ts'
import { expectOnceEverywhere, startPosting } from './posting.ts'
import { expectSilentReaderCut } from './silent-reader.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const MAIN = resolve(import.meta.dirname, '../services/all-in-one/src/main.ts')

describe('the one process', () => {
  let folder: string
  let server: { origin: string; dataDir: string }
  let child: ChildProcess
  let author: Person
  let follower: Person
  let first: string
  let healthPort: string

  /** Resolves when it says that it listens. */
  const start = async () => {
    const { port: PORT } = new URL(server.origin)
    const env = { ...PROGRAM_ENVIRONMENT, DATA_DIR: folder, PORT, HEALTH_PORT: healthPort, RATE_LIMITS: 'off' }
    child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [greeting] = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
    expect(String(greeting)).toContain('Rookery listens on')
  }
  const end = async (signal: NodeJS.Signals) => {
    const exited = once(child, 'exit')
    child.kill(signal)
    return await exited
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rookery-one-'))
    const port = await freePorts(2)
    server = { origin: `http://127.0.0.1:${port}`, dataDir: folder }
    healthPort = String(port + 1)
    await start()
    author = await personOf(server, 'author')
    follower = await personOf(server, 'follower')
    await follower.follows(author)
    first = (await author.says(`@follower first`)).id
  })
  afterAll(async () => {
    await end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  test('shows its metrics to Prometheus, of every part that does work', async () => {
    const read = async () => (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text()
    // Events are handled soon after the request that made them; before that the home has nothing to find in memory.
    await expect.poll(async () => (await follower.home()).map(({ id }) => id)).toContain(first)
    // Twice, so that the second finds in memory what the first put there.
    await follower.home()
    await follower.home()
    // A gauge shows a moment: a connection may just be busy, an event just on its way.
    for (const line of [
      /^rookery_http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/timelines\/home",status="2xx"\} [1-9]/m,
      /^rookery_rpc_client_duration_seconds_count\{method="\/rookery.statuses.v1.Timelines\/ReadHome",code="ok"\} [1-9]/m,
      /^rookery_relay_published_total\{service="statuses"\} [1-9]/m,
      /^rookery_outbox_facts\{service="auth"\} \d/m,
      /^rookery_outbox_oldest_seconds\{service="statuses"\} \d/m,
      /^rookery_consumer_handled_total\{consumer="statuses.fan-out"\} [1-9]/m,
      /^rookery_consumer_delay_seconds_count\{consumer="statuses.fan-out"\} [1-9]/m,
      /^rookery_consumer_lag\{group="statuses"\} 0$/m,
      /^rookery_dead_letters\{service="statuses",consumer="statuses.fan-out"\} 0$/m,
      /^rookery_jobs_exhausted\{service="statuses",job="end-mutes"\} 0$/m,
      /^rookery_database_connections\{service="statuses",state="idle"\} [1-9]/m,
      /^rookery_database_waiting\{service="statuses"\} 0$/m,
      /^rookery_cache_hits_total\{cache="statuses"\} [1-9]/m,
      /^rookery_cache_hits_total\{cache="rendered statuses"\} \d/m,
      /^rookery_cache_entries\{cache="accounts"\} [1-9]/m,
      /^rookery_cache_bytes\{cache="rendered statuses"\} [1-9]/m,
      /^rookery_cache_max_bytes\{cache="statuses"\} 67108864$/m,
      /^rookery_live_published_total \d/m,
      /^rookery_stream_connections 0$/m,
      /^rookery_stream_dropped_total\{reason="crowded"\} 0$/m,
      /^rookery_homes_compared_total \d/m,
      /^nodejs_eventloop_lag_p99_seconds /m,
    ])
      await expect.poll(read).toMatch(line)
  })

  const postmaster = () => Number(readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

  test('nothing acknowledged is lost or doubled when it, or its Postgres, is killed while someone posts', async () => {
    const posting = startPosting(author, follower)
    for (let round = 0; round < 2; round++) {
      await posting.goesOn(10)
      await end('SIGKILL')
      await start()
      await posting.goesOn(10)
      process.kill(postmaster(), 'SIGKILL')
    }
    await posting.goesOn(10)
    const acknowledged = await posting.stop()
    await expectOnceEverywhere([first, ...acknowledged], author, follower)
  }, 120_000)

  test('a request with an Idempotency-Key that is killed between its effect and its answer has that effect once', async () => {
    const key = { 'idempotency-key': 'killed' }
    const makes = () => author.post('/api/v1/lists', { title: 'killed' }, key)
    const held = await holdAnswers(join(folder, 'postgres', 'socket'), author)
    const lost = makes().then(
      () => 'answered',
      () => 'lost',
    )
    await held.effectIsThere()
    await end('SIGKILL')
    await held.end()
    expect(await lost).toBe('lost')
    await start()
    expect(await held.wasKept()).toBe(false)
    const answers = await Promise.all(Array.from({ length: 5 }, makes))
    const lists = (await author.get('/api/v1/lists')).body
    expect(lists).toHaveLength(1)
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(answers.map(() => [200, lists[0].id]))
  }, 120_000)

  test('what was scheduled is posted once when it is killed while that is due', async () => {
    const scheduler = await personOf(server, 'scheduler')
    await follower.follows(scheduler)
    const due = await scheduleMany(scheduler, join(folder, 'postgres', 'socket'))
    for (const count of [2, 8, 14]) {
      await due.isPosted(count)
      await end('SIGKILL')
      await start()
    }
    await due.isPostedOnce(follower)
  }, 300_000)

  test('the end of each poll is notified once when it is killed while they end', async () => {
    const voter = await personOf(server, 'voter')
    const polls = await endMany(author, [voter, follower], join(folder, 'postgres', 'socket'))
    for (const count of [2, 7]) {
      await polls.isNotified(count)
      await end('SIGKILL')
      await start()
    }
    await polls.isNotifiedOnce()
  }, 300_000)

  test('each edit is notified once to its boosters when the server is killed meanwhile', async () => {
    const edits = await editMany(author, [follower])
    await end('SIGKILL')
    await start()
    await edits.isNotifiedOnce()
  }, 300_000)

  test('ends at once and cleanly while clients hold half of their requests', async () => {
    const post = 'POST /api/v1/statuses HTTP/1.1\r\nHost: x\r\n'
    const halves = ['', 'GET /api/v1/inst', `${post}Content-Length: 10\r\n\r\nhalf`, `${post}Transfer-Encoding: chunked\r\n\r\n`]
    const places = [new URL(server.origin).port, healthPort].flatMap((port) => halves.map((half) => ({ port, half })))
    const clients = await Promise.all(
      places.map(async ({ port, half }) => {
        const client = connect(Number(port), '127.0.0.1')
        // The end of the process resets what it did not read.
        client.on('error', () => {})
        await once(client, 'connect')
        client.write(half)
        return client
      }),
    )
    const ended = clients.map((client) => new Promise((resolve) => client.resume().once('close', resolve)))
    const begun = performance.now()
    expect((await end('SIGTERM'))[0]).toBe(0)
    expect(performance.now() - begun).toBeLessThan(12_000)
    await Promise.all(ended)
    await start()
  })

  test('cuts a stream whose reader never reads once a megabyte waits for it', async () => {
    const metrics = async () => (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text()
    await expectSilentReaderCut({ author, reader: follower, metrics })
  })

  test('ends cleanly with a stream open, and has everything when it starts again', async () => {
    const stream = await follower.listens('user')
    const said = await author.says('before the stop')
    const [code] = await end('SIGTERM')
    expect(code).toBe(0)
    await stream.closed
    await start()
    expect((await follower.home())[0].id).toBe(said.id)
  })

  test('refuses to start a second time on the same data', async () => {
    const env = { ...PROGRAM_ENVIRONMENT, DATA_DIR: folder, PORT: String(await freePorts(1)) }
    const second = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const [code] = await once(second, 'exit')
    expect(code).toBe(1)
    expect((await author.get('/api/v1/timelines/home')).status).toBe(200)
  })
})
