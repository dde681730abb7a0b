import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { makeAuthority, PROGRAM_ENVIRONMENT, type TestAuthority, whyNoCertificates } from '@rookery/test-stores'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('../src/make-secrets.ts', import.meta.url))
const TOKEN = 'the-token-of-a-pod'
const lacking = whyNoCertificates()

type Made = { metadata: { name: string; labels: Record<string, string> }; stringData: Record<string, string> }

describe.skipIf(lacking)(lacking ?? 'secrets', () => {
  let folder: string
  let ours: TestAuthority
  let server: Server
  /** The secrets of the API server, its first answers, and the requests to it. */
  let kept: Map<string, Made>
  let refusals: number[]
  let asked: string[]

  beforeAll(async () => {
    ours = makeAuthority('cluster')
    const { certificate, key } = ours.issue('api')
    server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, async (request, response) => {
      asked.push(`${request.method} ${request.url}`)
      const secret = (await json(request)) as Made
      const reply = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      const refusal = request.headers.authorization === `Bearer ${TOKEN}` ? refusals.shift() : 401
      // A server may repeat what was sent to it.
      if (refusal) return reply(refusal, { kind: 'Status', reason: 'Forbidden', message: JSON.stringify(secret) })
      if (kept.has(secret.metadata.name)) return reply(409, { kind: 'Status', reason: 'AlreadyExists' })
      kept.set(secret.metadata.name, secret)
      return reply(201, secret)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    folder = mkdtempSync(join(tmpdir(), 'account-'))
  })
  afterAll(() => {
    server.close().closeAllConnections()
    rmSync(folder, { recursive: true })
    ours.remove()
  })
  beforeEach(() => {
    ;[kept, refusals, asked] = [new Map(), [], []]
    for (const [name, content] of Object.entries({ token: TOKEN, 'ca.crt': ours.pem, namespace: 'birds\n' }))
      writeFileSync(join(folder, name), content)
  })

  const make = async (settings: Record<string, string> = {}) => {
    const environment = {
      ...PROGRAM_ENVIRONMENT,
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String((server.address() as AddressInfo).port),
      SERVICE_ACCOUNT: folder,
      MAKE: 'rookery-database/auth,rookery-database/media,rookery-calls/key',
      LABELS: 'app.kubernetes.io/instance=rookery',
      ...settings,
    }
    const child = spawn(process.execPath, [PROGRAM], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { code: await ended, said: output + complaint }
  }
  const values = () => [...kept.values()].flatMap(({ stringData }) => Object.values(stringData))

  test('are made once, each value another, and said by name alone', async () => {
    const { code, said } = await make()
    expect(code).toBe(0)
    expect(asked).toEqual(['POST /api/v1/namespaces/birds/secrets', 'POST /api/v1/namespaces/birds/secrets'])
    expect([...kept.keys()]).toEqual(['rookery-database', 'rookery-calls'])
    expect(kept.get('rookery-database')).toMatchObject({
      metadata: { labels: { 'app.kubernetes.io/instance': 'rookery' } },
      stringData: { auth: expect.stringMatching(/^[0-9a-f]{64}$/), media: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(new Set(values()).size).toBe(3)
    for (const value of [...values(), TOKEN]) expect(said).not.toContain(value)
    expect(said).toContain('rookery-calls')
  })

  test('are never changed, and only asked to be made', async () => {
    await make()
    const before = values()
    const { code, said } = await make()
    expect([code, values()]).toEqual([0, before])
    expect(said).toContain('secret exists, unchanged')
    expect(new Set(asked)).toEqual(new Set(['POST /api/v1/namespaces/birds/secrets']))
  })

  test('wait for an API server that has not heard yet of what is allowed', async () => {
    refusals = [403, 503]
    expect((await make()).code).toBe(0)
    expect(kept.size).toBe(2)
  })

  test('are not made where that is refused for good, which is said without what was sent', async () => {
    refusals = [422]
    const { code, said } = await make()
    expect([code, kept.size]).toEqual([1, 0])
    expect(said).toContain('the API server refuses to make a secret: 422 Forbidden')
    expect(said).not.toMatch(/[0-9a-f]{64}/)
  })
})
