import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { freePorts, PROGRAM_ENVIRONMENT } from '@rookery/test-stores'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { keep } from './backup/keeping.ts'
import { type Life, live } from './backup/life.ts'
import { personOf } from './local-people.ts'
import { expectOnceEverywhere, startPosting } from './posting.ts'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const MAIN = resolve(import.meta.dirname, '../services/all-in-one/src/main.ts')

describe('the one process, lost as a whole', () => {
  let root: string
  let server: { origin: string; dataDir: string }
  let child: ChildProcess
  let life: Life

  const start = async () => {
    const { port: PORT } = new URL(server.origin)
    const env = { ...PROGRAM_ENVIRONMENT, DATA_DIR: server.dataDir, PORT, RATE_LIMITS: 'off' }
    child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [greeting] = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])
    expect(String(greeting)).toContain('Rookery listens on')
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  /** Its Postgres ends a moment later, and removes files of its own meanwhile. */
  const lose = async (folder: string) => {
    for (; existsSync(folder); await pause(50)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  const urlOf = (role: string) =>
    `postgres://${role}@localhost:5432/rookery?host=${encodeURIComponent(join(server.dataDir, 'postgres', 'socket'))}`
  const archive = () => join(root, 'backup.tar.gz')
  const restoreInto = (folder: string, file = archive()) => keep(['restore', file], { DATA_DIR: folder })

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'rookery-kept-'))
    server = { origin: `http://127.0.0.1:${await freePorts(1)}`, dataDir: join(root, 'data') }
    await start()
  })
  afterAll(async () => {
    await end('SIGTERM')
    await lose(join(root, 'data'))
    rmSync(root, { recursive: true, force: true })
  })

  test('has everything back that was acknowledged before the backup, and what was still to come of it', async () => {
    life = await live(server)
    const { author, follower } = life
    const poster = await personOf(server, 'poster')
    const reader = await personOf(server, 'reader')
    await reader.follows(poster)
    const posting = startPosting(poster, reader)
    await posting.goesOn(10)
    const acknowledged = await posting.stop()
    const held = await life.saysWhileHeld(urlOf)
    const more = startPosting(author, follower)
    const made = await keep(['backup', archive()], { DATA_DIR: server.dataDir })
    expect(made).toMatchObject({ code: 0, said: expect.stringMatching(/^\d+ tables and \d+ files are in the backup/) })
    await more.stop()
    await held.letGo()

    await end('SIGKILL')
    await lose(server.dataDir)
    expect(await restoreInto(server.dataDir)).toMatchObject({ code: 0, said: expect.stringContaining('are back') })
    await start()
    await life.expectBack(urlOf)
    await expectOnceEverywhere(acknowledged, poster, reader)
    const said = await author.says('and on it goes')
    await expect.poll(() => follower.home().then(([newest]) => newest.id)).toBe(said.id)
  }, 180_000)

  test('is backed up when it does not run, too', async () => {
    await end('SIGTERM')
    const file = join(root, 'stopped.tar.gz')
    expect(await keep(['backup', file], { DATA_DIR: server.dataDir })).toMatchObject({ code: 0 })
    await start()
    const folder = join(root, 'second')
    expect(await restoreInto(folder, file)).toMatchObject({ code: 0 })
  }, 180_000)

  test('is restored into an empty place only', async () => {
    const { code, said } = await restoreInto(server.dataDir)
    expect(said).toMatch(/not empty: a backup is restored into empty storage/)
    expect(code).toBe(1)
    expect((await life.author.home()).length).toBeGreaterThan(0)
  }, 60_000)

  test('is restored from a whole archive of the same schema only', async () => {
    const whole = gunzipSync(readFileSync(archive()))
    const broken: [words: RegExp, bytes: Buffer][] = [
      [/truncated/, whole.subarray(0, whole.length - 3000)],
      [/not a backup archive/, Buffer.concat([Buffer.alloc(512, 'x'), whole])],
      [/restore it with that version, then upgrade/, Buffer.from(whole.toString('latin1').replace(/auth\/(\d)/, 'auth/x'), 'latin1')],
    ]
    for (const [words, bytes] of broken) {
      const file = join(root, 'broken.tar.gz')
      writeFileSync(file, gzipSync(bytes))
      const folder = join(root, 'empty')
      const { code, said } = await restoreInto(folder, file)
      expect(said).toMatch(words)
      expect(code).toBe(1)
      rmSync(folder, { recursive: true, force: true })
    }
  }, 180_000)

  test('leaves no archive behind that is not whole', async () => {
    const { code } = await keep(['backup', join(root, 'missing', 'backup.tar.gz')], { DATA_DIR: server.dataDir })
    expect(code).toBe(1)
    expect(await keep(['backup'], {})).toMatchObject({ code: 1, said: expect.stringContaining('restore FILE') })
  }, 60_000)
})
