import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, PROGRAM_ENVIRONMENT, startPostgresProxy, startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { prepareDatabase } from '../packages/database/src/index.ts'

// Real processes start here.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await startTestPostgres().createDatabase()
  await prepareDatabase(database.url('postgres'), [{ name: 'media' }])
  folder = mkdtempSync(join(tmpdir(), 'late-'))
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

test('a process that starts before its database waits for it, says so once, and then serves', async () => {
  const healthPort = await freePorts(1)
  const early = await startPostgresProxy(database.url)
  await early.close()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../services/media/src/serve.ts')], {
    env: {
      ...PROGRAM_ENVIRONMENT,
      BASE_URL: 'https://birds.example',
      DATA_DIR: folder,
      HEALTH_PORT: String(healthPort),
      MEDIA_DATABASE_URL: early.url('media'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      log += text
    })
  }
  const ready = async () => (await fetch(`http://127.0.0.1:${healthPort}/health/ready`).catch(() => undefined))?.status
  const waiting = () => log.split('\n').filter((line) => /waiting for the database/.test(line))
  await expect.poll(waiting).toHaveLength(1)
  expect(waiting()[0]).toContain('ECONNREFUSED')
  expect(await ready()).toBe(503)

  const proxy = await startPostgresProxy(database.url, { port: early.port })
  await expect.poll(ready).toBe(200)
  expect(waiting()).toHaveLength(1)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await proxy.close()
})
