import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppsDefinition } from '@rookery/contracts/auth'
import { AttachmentsDefinition } from '@rookery/contracts/media'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CertificateFiles, connect, openConnection, type RpcCredentials, serve } from '../src/index.ts'
import { app, call, failureOf, serving } from './rpc.conformance.ts'

const credentials = (...keys: string[]): RpcCredentials => ({ keys, certificates: undefined })

/** A server with some credentials and a client with others: the results of a call, of a stream and of a health check. */
const meet = async (served: RpcCredentials | undefined, calling: RpcCredentials | undefined) => {
  const ran: string[] = []
  const read = async () => {
    ran.push('read')
    return app('Tusk')
  }
  // Certificates are for names: TLS has no SNI for addresses (RFC 6066, 3).
  const host = 'localhost'
  const server = await serve(serving({ apps: { read } }), '127.0.0.1:0', served ? { credentials: served } : {})
  const connection = openConnection(`${host}:${server.port}`, calling ? { credentials: calling } : {})
  try {
    const answer = await connect(AppsDefinition, connection)
      .read(call({ deadline: Date.now() + 10_000 }), {})
      .then(
        ({ name }) => name,
        ({ kind }) => kind,
      )
    return { answer, ran: ran.length, fault: await connection.fault() }
  } finally {
    connection.close()
    await server.stop(0)
  }
}

const KNOWN = { answer: 'Tusk', ran: 1, fault: undefined }
// Not `unauthenticated`: the people behind the call have done nothing wrong.
const STRANGER = { answer: 'broken', ran: 0, fault: 'it does not answer: UNAUTHENTICATED' }

test.each([
  ['the key', credentials('one'), credentials('one'), KNOWN],
  ['the old key while the new one is brought in', credentials('two', 'one'), credentials('one'), KNOWN],
  ['the new key while the old one still counts', credentials('one', 'two'), credentials('two', 'one'), KNOWN],
  ['a key no one asks for', undefined, credentials('one'), KNOWN],
  ['another key', credentials('one'), credentials('two'), STRANGER],
  ['a part of the key', credentials('one'), credentials('on'), STRANGER],
  ['an empty key', credentials('one'), credentials(''), STRANGER],
  ['no key', credentials('one'), undefined, STRANGER],
])('a call with %s', async (_name, served, calling, expected) => {
  expect(await meet(served, calling)).toEqual(expected)
})

/** The steps of a key rotation (docs/operations/secrets.md). */
const STEPS = [credentials('old'), credentials('old', 'new'), credentials('new', 'old'), credentials('new')]

test.each(STEPS.slice(1).map((step, index) => [index + 1, STEPS[index]!, step] as const))(
  'while a key is changed, step %d, processes from before and after it know each other',
  async (_, before, after) => {
    for (const [served, calling] of [
      [before, after],
      [after, before],
    ] as const)
      expect(await meet(served, calling)).toEqual(KNOWN)
  },
)

test('once a key is changed the old one is no more', async () => {
  expect(await meet(STEPS[3], STEPS[0])).toEqual(STRANGER)
})

test('a stream of requests without the key is refused before any of it is read, and no fault reveals the key', async () => {
  let parts = 0
  const upload = async (_call: unknown, requests: AsyncIterable<unknown>) => {
    for await (const _ of requests) parts++
    throw new Error('never')
  }
  const server = await serve(serving({ attachments: { upload } }), '127.0.0.1:0', { credentials: credentials('the-one-secret') })
  const connection = openConnection(`127.0.0.1:${server.port}`, { credentials: credentials('another-secret') })
  async function* two() {
    yield { part: { $case: 'chunk' as const, value: Buffer.from('a') } }
    yield { part: { $case: 'chunk' as const, value: Buffer.from('b') } }
  }
  const failure = await failureOf(connect(AttachmentsDefinition, connection).upload(call(), two()))
  expect([failure.kind, parts]).toEqual(['broken', 0])
  expect(JSON.stringify([failure.message, failure.cause, String((failure.cause as Error).stack)])).not.toMatch(/secret/)
  connection.close()
  await server.stop(0)
})

test('what a stranger sends is never decoded', async () => {
  let decoded = 0
  const { requestType } = AppsDefinition.methods.read
  const decode = (bytes: Uint8Array) => {
    decoded++
    return requestType.decode(bytes)
  }
  const counted = { ...requestType, decode }
  const definition = {
    ...AppsDefinition,
    methods: { ...AppsDefinition.methods, read: { ...AppsDefinition.methods.read, requestType: counted } },
  }
  const [apps] = serving({ apps: { read: async () => app('Tusk') } })
  const server = await serve([{ ...apps!, definition }], '127.0.0.1:0', { credentials: credentials('one') })
  for (const [key, expected] of [
    ['two', 0],
    ['one', 1],
  ] as const) {
    const connection = openConnection(`127.0.0.1:${server.port}`, { credentials: credentials(key) })
    await connect(AppsDefinition, connection)
      .read(call(), { id: 'a'.repeat(1_000_000) })
      .catch(() => {})
    expect(decoded).toBe(expected)
    connection.close()
  }
  await server.stop(0)
})

const noOpenssl = spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed'
describe.skipIf(noOpenssl)(noOpenssl ?? 'certificates', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trust-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']

  /** Issues a certificate for this machine by a CA, which is created if there is none of the name. */
  const issued = (authorityName: string, name: string, host = 'localhost'): RpcCredentials => {
    const [authority, authorityKey] = [join(folder, `${authorityName}.pem`), join(folder, `${authorityName}.key`)]
    if (!existsSync(authority))
      openssl('req', '-x509', ...fresh, '-subj', `/CN=${authorityName}`, '-keyout', authorityKey, '-out', authority)
    const files: CertificateFiles = { authority, certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) }
    const names = ['-addext', `subjectAltName=DNS:${host}`, '-addext', 'basicConstraints=CA:FALSE']
    const signed = ['-CA', authority, '-CAkey', authorityKey, '-subj', `/CN=${name}`, ...names]
    openssl('req', '-x509', ...fresh, ...signed, '-keyout', files.key, '-out', files.certificate)
    return { keys: [], certificates: files }
  }
  const LOST = { answer: 'unavailable', ran: 0 }

  test('of one authority know each other', async () => {
    expect(await meet(issued('ours', 'statuses'), issued('ours', 'gateway'))).toEqual(KNOWN)
  })

  test.each([
    ['of another authority', () => issued('theirs', 'gateway')],
    ['that are missing', () => undefined],
  ])('%s are refused', async (_name, calling) => {
    expect(await meet(issued('ours', 'statuses'), calling())).toMatchObject(LOST)
  })

  test('for another name are refused by callers', async () => {
    const elsewhere = issued('ours', 'media', 'media.example')
    expect(await meet(elsewhere, issued('ours', 'gateway'))).toMatchObject(LOST)
  })

  test('and a key can both be asked for', async () => {
    const served = { ...issued('ours', 'statuses'), keys: ['one'] }
    expect(await meet(served, { ...issued('ours', 'gateway'), keys: ['one'] })).toEqual(KNOWN)
    expect(await meet(served, issued('ours', 'gateway'))).toEqual(STRANGER)
  })
})
