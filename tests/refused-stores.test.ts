import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  freePorts,
  makeAuthority,
  PROGRAM_ENVIRONMENT,
  startRedis,
  type TestAuthority,
  whyNoCertificates,
  whyNoRedis,
} from '@rookery/test-stores'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Real processes start here, and start again.
vi.setConfig({ testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } })

const PASSWORD = 'only-the-birds-know'
const PROGRAM = join(import.meta.dirname, '../services/gateway/src/serve.ts')
const lacking = (await whyNoRedis()) ?? whyNoCertificates()

describe.skipIf(lacking)(lacking ?? 'a process that a store refuses, or that refuses a store,', () => {
  let ours: TestAuthority
  let theirs: TestAuthority
  let redis: Awaited<ReturnType<typeof startRedis>>
  let folder: string
  beforeAll(async () => {
    ours = makeAuthority('birds')
    theirs = makeAuthority('crows')
    redis = await startRedis({ guarded: { authority: ours, username: 'rookery', password: PASSWORD } })
    folder = mkdtempSync(join(tmpdir(), 'refused-'))
  })
  afterAll(async () => {
    await redis.stop()
    for (const authority of [ours, theirs]) authority.remove()
    rmSync(folder, { recursive: true })
  })

  /** What the gateway's process says of Redis: on its health port, and in its log. */
  const outcome = async (url: string, authority: TestAuthority) => {
    const { certificate, key } = ours.issue('rookery')
    const port = await freePorts(1)
    const services = ['AUTH', 'STATUSES', 'MEDIA', 'NOTIFICATIONS', 'FEDERATION'].map((name) => [`${name}_ADDRESS`, '127.0.0.1:1'])
    const environment = {
      ...PROGRAM_ENVIRONMENT,
      BASE_URL: 'https://birds.example',
      REGISTRATIONS: 'open',
      DATA_DIR: folder,
      HEALTH_PORT: String(port),
      REDIS_URL: url,
      REDIS_CA: authority.file,
      REDIS_CERTIFICATE: certificate,
      REDIS_CERTIFICATE_KEY: key,
      ...Object.fromEntries(services),
    }
    const child = spawn(process.execPath, [PROGRAM], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'exit')
    let log = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        log += text
      })
    }
    let fault: string | undefined
    const ask = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`)
      const { faults } = (await answer.json()) as { faults: { start?: string; redis?: string } }
      fault = faults.redis
      return faults.start ?? faults.redis
    }
    await expect.poll(ask, { interval: 100 }).not.toSatisfy((reported) => /not finished|not answered yet/.test(String(reported)))
    child.kill('SIGTERM')
    await ended
    return { fault, log }
  }

  it('is well where both know each other', { timeout: 60_000 }, async () => {
    expect((await outcome(redis.url, ours)).fault).toBeUndefined()
  })

  it.each<[string, () => Promise<{ fault: string | undefined; log: string }>, RegExp]>([
    ['a wrong password', () => outcome(redis.url.replace(PASSWORD, 'wrong-guess'), ours), /WRONGPASS/],
    ['a certificate of another authority', () => outcome(redis.url, theirs), /self-signed certificate/],
  ])('is not ready for %s, and says why in one line without the secret', { timeout: 60_000 }, async (_, run, why) => {
    const { fault, log } = await run()
    expect(fault).toMatch(why)
    const lines = log.split('\n').filter((line) => why.test(line))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, msg: 'Redis is unavailable', fault })
    expect(log).not.toMatch(/only-the-birds-know|wrong-guess/)
  })
})
