import { createHash, createSign, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSignedBy, readSignature, type SignedMessage, signCavage, signRfc9421 } from './index.ts'

const HOUR = 3_600_000

/** draft-cavage-http-signatures-12, appendix C: the key `Test`, of 1024 bits. */
const CAVAGE_KEY = `-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDCFENGw33yGihy92pDjZQhl0C3
6rPJj+CvfSC8+q28hxA161QFNUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6
Z4UMR7EOcpfdUE9Hf3m/hs+FUR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJw
oYi+1hqp1fIekaxsyQIDAQAB
-----END PUBLIC KEY-----`
const CAVAGE_HEADERS = {
  host: 'example.com',
  date: 'Sun, 05 Jan 2014 21:31:40 GMT',
  'content-type': 'application/json',
  digest: 'SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=',
  'content-length': '18',
}
/** Appendix C.2, the basic test. */
const CAVAGE_BASIC =
  'qdx+H7PHHDZgy4y/Ahn9Tny9V3GP6YgBPyUXMmoxWtLbHpUnXS2mg2+SbrQDMCJypxBLSPQR2aAjn7ndmw2iicw3HMbe8VfEdKFYRqzic+efkb3nndiv/x1xSHDJWeSWkx3ButlYSuBskLu6kd9Fswtemr3lgdDEmn04swr2Os0='

/** RFC 9421, appendix B.1.2 and B.2.3. */
const RFC_KEY = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2
+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+
oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHq
gDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5W
Utzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4
aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI
2wIDAQAB
-----END PUBLIC KEY-----`
const RFC_MESSAGE: SignedMessage = {
  method: 'POST',
  url: new URL('https://example.com'),
  target: '/foo?param=Value&Pet=dog',
  body: Buffer.from('{"hello": "world"}'),
  headers: {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest': 'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
    'content-length': '18',
    'signature-input':
      'sig-b23=("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-rsa-pss"',
    signature:
      'sig-b23=:bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==:',
  },
}
const RFC_TIME = 1_618_884_473_000

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const OTHER_PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
const ED25519 = generateKeyPairSync('ed25519')

const NOW = Date.parse('2026-05-05T12:00:00Z')
const INBOX = new URL('https://here.example/users/ann/inbox')
const BODY = Buffer.from('{"type":"Like"}')
const KEY = { keyId: 'https://there.example/users/ben#main-key', privateKey }
const SIGNERS = { cavage: signCavage, rfc9421: signRfc9421 } as const
const KINDS = Object.keys(SIGNERS) as (keyof typeof SIGNERS)[]

const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** A signed POST as its receiver sees it. */
const received = (kind: keyof typeof SIGNERS, at = NOW): SignedMessage => ({
  method: 'POST',
  url: new URL('https://here.example'),
  target: INBOX.pathname,
  headers: lower(SIGNERS[kind]({ method: 'POST', url: INBOX, body: BODY }, KEY, at)),
  body: BODY,
})

const verifies = (message: SignedMessage, now = NOW, pem = PEM): boolean => isSignedBy(readSignature(message, now), pem)

describe('vectors of the documents', () => {
  it('draft-cavage-12, C.2 verifies, of a key too small to be believed otherwise', () => {
    const signature = `keyId="Test",algorithm="rsa-sha256",headers="(request-target) host date",signature="${CAVAGE_BASIC}"`
    const message = {
      method: 'POST',
      url: new URL('http://example.com'),
      target: '/foo?param=value&pet=dog',
      headers: { ...CAVAGE_HEADERS, signature },
    }
    // As a request without a body: the vector covers no digest.
    const read = readSignature(message, Date.parse(CAVAGE_HEADERS.date))
    expect(read.bases[0]).toBe('(request-target): post /foo?param=value&pet=dog\nhost: example.com\ndate: Sun, 05 Jan 2014 21:31:40 GMT')
    expect(isSignedBy(read, CAVAGE_KEY, { minBits: 1024 })).toBe(true)
    expect(isSignedBy(read, CAVAGE_KEY)).toBe(false)
    expect(isSignedBy({ ...read, bases: [`${read.bases[0]} `] }, CAVAGE_KEY, { minBits: 1024 })).toBe(false)
  })

  it('RFC 9421, B.2.3 verifies, signed by RSA-PSS where that is said', () => {
    const read = readSignature(RFC_MESSAGE, RFC_TIME)
    expect(read).toMatchObject({ kind: 'rfc9421', keyId: 'test-key-rsa-pss', algorithm: 'by-key' })
    expect(isSignedBy({ ...read, algorithm: 'rsa-pss-sha512' }, RFC_KEY)).toBe(true)
    expect(isSignedBy({ ...read, algorithm: 'rsa-v1_5-sha256' }, RFC_KEY)).toBe(false)
  })
})

describe.each(KINDS)('%s', (kind) => {
  it('verifies what it signed', () => expect(verifies(received(kind))).toBe(true))

  it('covers the headers that it is given besides', () => {
    const more = { 'Collection-Synchronization': 'digest="00"' }
    const headers = lower(SIGNERS[kind]({ method: 'POST', url: INBOX, body: BODY, more }, KEY, NOW))
    expect(headers).toMatchObject({ 'collection-synchronization': 'digest="00"' })
    expect(verifies({ ...received(kind), headers })).toBe(true)
    expect(verifies({ ...received(kind), headers: { ...headers, 'collection-synchronization': 'digest="11"' } })).toBe(false)
  })

  it('verifies a signed GET, with its query', () => {
    const url = new URL('https://here.example/users/ann/outbox?page=true')
    const headers = lower(SIGNERS[kind]({ method: 'GET', url }, KEY, NOW))
    const message = { method: 'GET', url: new URL(url.origin), target: '/users/ann/outbox?page=true', headers }
    expect(verifies(message)).toBe(true)
    expect(verifies({ ...message, target: '/users/ann/outbox?page=2' })).toBe(false)
  })

  it.each<[string, (message: SignedMessage) => SignedMessage]>([
    ['another address', (message) => ({ ...message, target: '/users/joe/inbox' })],
    ['another host', (message) => ({ ...message, url: new URL('https://elsewhere.example') })],
    ['another method', (message) => ({ ...message, method: 'PUT' })],
  ])('does not verify for %s', (_, change) => expect(verifies(change(received(kind)))).toBe(false))

  it('does not verify by the key of another', () => expect(verifies(received(kind), NOW, OTHER_PEM)).toBe(false))
  it('does not verify by what is no key', () => expect(verifies(received(kind), NOW, 'tea')).toBe(false))

  it('refuses another body', () =>
    expect(() => readSignature({ ...received(kind), body: Buffer.from('{"type":"Block"}') }, NOW)).toThrow('not what its digest says'))

  it.each([
    [-12 * HOUR, true],
    [-12.9 * HOUR, true],
    [-13.1 * HOUR, false],
    [0.9 * HOUR, true],
    [1.1 * HOUR, false],
  ])('of a time that is %d milliseconds away: %s', (away, isGood) => {
    const message = received(kind, NOW + away)
    if (isGood) expect(verifies(message)).toBe(true)
    else expect(() => readSignature(message, NOW)).toThrow('signature is')
  })
})

const cavageOf = (headers: string, more: Record<string, string> = {}, parameters = ''): SignedMessage => {
  const digest = `SHA-256=${createHash('sha256').update(BODY).digest('base64')}`
  const all: Record<string, string> = { host: 'here.example', date: new Date(NOW).toUTCString(), digest, ...more }
  const values: Record<string, string> = { ...all, '(request-target)': 'post /users/ann/inbox', '(created)': String(NOW / 1000) }
  const base = headers
    .split(' ')
    .map((name) => `${name}: ${values[name]}`)
    .join('\n')
  const signature = createSign('sha256').update(base).sign(privateKey, 'base64')
  const signed = `keyId="${KEY.keyId}",algorithm="hs2019",headers="${headers}"${parameters},signature="${signature}"`
  return { method: 'POST', url: INBOX, target: INBOX.pathname, headers: { ...all, signature: signed }, body: BODY }
}

describe('what a signature of draft-cavage must cover', () => {
  it.each([
    ['(request-target) host date digest', ''],
    ['(request-target) host (created) digest', `,created=${NOW / 1000}`],
    ['(request-target) host date digest content-type', ''],
  ])('enough: %s', (headers, parameters) => {
    expect(verifies(cavageOf(headers, { 'content-type': 'application/activity+json' }, parameters))).toBe(true)
  })

  it.each([
    ['host date digest', 'request-target'],
    ['(request-target) date digest', 'host'],
    ['(request-target) host date', 'digest'],
    ['(request-target) host digest', 'neither date'],
    ['(request-target) host date digest x-tea', 'not there'],
    ['(request-target) host (created) digest', 'not understood'],
    ['(request-target) host host date digest', 'too often'],
  ])('not enough: %s', (headers, words) => {
    expect(() => readSignature(cavageOf(headers), NOW)).toThrow(words)
  })

  it.each([
    ['', 'not signed'],
    ['tea', 'malformed'],
    ['keyId="a"', 'no keyId or no signature'],
    ['keyId="a",keyId="b",signature="c"', 'twice'],
    [`keyId="a",algorithm="none",headers="(request-target) host date digest",signature="AAAA"`, 'algorithm'],
    [`keyId="a",algorithm="constructor",headers="(request-target) host date digest",signature="AAAA"`, 'algorithm'],
    [`keyId="${'a'.repeat(9000)}",signature="c"`, 'too long'],
  ])('malformed: %.40s', (signature, words) => {
    const message = cavageOf('(request-target) host date digest')
    expect(() => readSignature({ ...message, headers: { ...message.headers, signature: signature || undefined } }, NOW)).toThrow(words)
  })

  it.each<[string, (signature: string) => string]>([
    ['spaces around its signs', (signature) => signature.replaceAll('="', ' = "').replaceAll('",', '" , ')],
    ['an algorithm without quotes', (signature) => signature.replace('"hs2019"', 'rsa-sha256')],
    ['a comma in its keyId', (signature) => signature.replace('#main-key', '#main-key,')],
  ])('understood: %s', (_case, write) => {
    const message = cavageOf('(request-target) host date digest')
    expect(verifies({ ...message, headers: { ...message.headers, signature: write(String(message.headers['signature'])) } })).toBe(true)
  })

  it('refuses a digest of an unknown kind alone, and one of several that does not fit', () => {
    const names = '(request-target) host date digest'
    expect(() => readSignature(cavageOf(names, { digest: 'MD5=AAAA' }), NOW)).toThrow('of no known kind')
    const right = createHash('sha256').update(BODY).digest('base64')
    const wrong = createHash('sha512').update('tea').digest('base64')
    expect(() => readSignature(cavageOf(names, { digest: `SHA-256=${right},SHA-512=${wrong}` }), NOW)).toThrow('not what its digest says')
  })

  it('an expiry that is signed counts', () => {
    const created = NOW / 1000
    const message = (expires: number) => {
      const more = cavageOf('(request-target) host date digest')
      const base = `(request-target): post /users/ann/inbox\nhost: here.example\n(created): ${created}\n(expires): ${expires}\ndigest: ${more.headers['digest']}`
      const signature = sign('sha256', Buffer.from(base), privateKey).toString('base64')
      const names = '(request-target) host (created) (expires) digest'
      return {
        ...more,
        headers: {
          ...more.headers,
          signature: `keyId="k",created=${created},expires=${expires},headers="${names}",signature="${signature}"`,
        },
      }
    }
    expect(verifies(message(created + 60))).toBe(true)
    expect(() => readSignature(message(created - 7200), NOW)).toThrow('too old')
  })
})

describe('what a signature of RFC 9421 must be', () => {
  const withInput = (input: string): SignedMessage => ({
    ...received('rfc9421'),
    headers: { ...received('rfc9421').headers, 'signature-input': input },
  })

  it.each([
    ['sig1=("@method" "@target-uri" "content-digest");keyid="k"', 'not understood'],
    [`sig1=("@method" "@target-uri");created=${NOW / 1000};keyid="k"`, 'content-digest'],
    [`sig1=("@target-uri" "content-digest");created=${NOW / 1000};keyid="k"`, 'method and address'],
    [`sig1=("@method" "content-digest");created=${NOW / 1000};keyid="k"`, 'method and address'],
    [`sig1=("@method" "@target-uri" "content-digest" "x-tea");created=${NOW / 1000};keyid="k"`, 'not there'],
    [`sig1=("@method" "@target-uri" "content-digest" "@status");created=${NOW / 1000};keyid="k"`, 'not known'],
    [`sig1=("@method" "@method" "@target-uri" "content-digest");created=${NOW / 1000};keyid="k"`, 'too often'],
    [`sig1=("@method" "@target-uri";req "content-digest");created=${NOW / 1000};keyid="k"`, 'malformed'],
    [`sig1=("@method" "@target-uri" "content-digest");created=${NOW / 1000};keyid="k";alg="hmac-sha256"`, 'algorithm'],
    [`sig1=("@method" "@target-uri" "content-digest");created=${NOW / 1000}`, 'no keyid'],
    [`sig2=("@method" "@target-uri" "content-digest");created=${NOW / 1000};keyid="k"`, 'no signature'],
    [`sig1=("@method" "@target-uri" "content-digest");created=${NOW / 1000};expires=${NOW / 1000 - 7200};keyid="k"`, 'too old'],
    [`sig1=("@method" "@target-uri" "content-digest");created=${NOW / 1000};expires="never";keyid="k"`, 'not understood'],
    ['', 'malformed'],
    ['tea', 'malformed'],
    ['"', 'malformed'],
    [`sig1=(${'"a" '.repeat(4000)})`, 'too long'],
  ])('%.60s', (input, words) => expect(() => readSignature(withInput(input), NOW)).toThrow(words))

  it('of several signatures the first that can be read counts', () => {
    const message = received('rfc9421')
    const input = `sig0=("@method";req);created=1, ${message.headers['signature-input']}`
    const signature = `sig0=:AAAA:, ${message.headers['signature']}`
    expect(verifies({ ...message, headers: { ...message.headers, 'signature-input': input, signature } })).toBe(true)
  })

  it('an Ed25519 key verifies what it signed, and no RSA key does', () => {
    const message = received('rfc9421')
    const input = `sig1=("@method" "@target-uri" "content-digest");created=${NOW / 1000};keyid="k";alg="ed25519"`
    const base = `"@method": POST\n"@target-uri": ${INBOX.href}\n"content-digest": ${message.headers['content-digest']}\n"@signature-params": ${input.slice(5)}`
    const signature = `sig1=:${sign(null, Buffer.from(base), ED25519.privateKey).toString('base64')}:`
    const signed = { ...message, headers: { ...message.headers, 'signature-input': input, signature } }
    expect(verifies(signed, NOW, ED25519.publicKey.export({ type: 'spki', format: 'pem' }).toString())).toBe(true)
    expect(verifies(signed)).toBe(false)
  })
})
