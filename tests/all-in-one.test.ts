import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts, type Person } from '../packages/testkit/src/index.ts'
import { scheduleMany } from './due.ts'
import { personOf } from './local-people.ts'
import { expectOnceEverywhere, startPosting } from './posting.ts'

const MAIN = resolve(import.meta.dirname, '../services/all-in-one/src/main.ts')

describe('the one process', () => {
  let folder: string
  let server: { origin: string; dataDir: string }
  let child: ChildProcess
  let author: Person
  let follower: Person
  let first: string

  /** Resolves when it says that it listens. */
  const start = async () => {
    const env = { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: new URL(server.origin).port, RATE_LIMITS: 'off' }
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
    server = { origin: `http://127.0.0.1:${await freePorts(1)}`, dataDir: folder }
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

  const postmaster = () => Number(readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])

  test('nothing acknowledged is lost or doubled when it, or its Postgres, is killed while somebody posts', async () => {
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
    const env = { PATH: '/usr/bin:/bin', DATA_DIR: folder, PORT: String(await freePorts(1)) }
    const second = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const [code] = await once(second, 'exit')
    expect(code).toBe(1)
    expect((await author.get('/api/v1/timelines/home')).status).toBe(200)
  })
})
