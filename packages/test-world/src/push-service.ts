import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

// A push service and the browsers it serves, written from the standards: RFC 8030, 8188, 8291, 8292, and the earlier drafts that older
// clients use (draft-ietf-webpush-encryption-04, draft-ietf-webpush-vapid-01).

/** A request that the push service received. */
export type Pushed = { path: string; headers: IncomingHttpHeaders; body: Buffer }

const TAG_BYTES = 16
const hkdf = (salt: Buffer, ikm: Buffer, info: Buffer, length: number) => Buffer.from(hkdfSync('sha256', ikm, salt, info, length))
const lengthOf = (bytes: Buffer) => Buffer.from([bytes.length >> 8, bytes.length & 0xff])

const decrypt = (keys: { cek: Buffer; nonce: Buffer }, sealed: Buffer) => {
  const decipher = createDecipheriv('aes-128-gcm', keys.cek, keys.nonce).setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
}

const parameter = (header: unknown, name: string) => {
  const found = new RegExp(`(?:^|[;,\\s])${name}=([^;,\\s]+)`).exec(String(header ?? ''))?.[1]
  if (!found) throw new Error(`no ${name} in ${header}`)
  return Buffer.from(found, 'base64url')
}

/** A browser that subscribes and decrypts what is pushed to it. */
export const openBrowser = () => {
  const curve = createECDH('prime256v1')
  const own = curve.generateKeys()
  const auth = randomBytes(16)
  const standard = ({ body }: Pushed) => {
    const salt = body.subarray(0, 16)
    const idLength = body[20]!
    const sender = body.subarray(21, 21 + idLength)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
    const ikm = hkdf(auth, curve.computeSecret(sender), info, 32)
    const cek = hkdf(salt, ikm, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
    const nonce = hkdf(salt, ikm, Buffer.from('Content-Encoding: nonce\0'), 12)
    const padded = decrypt({ cek, nonce }, body.subarray(21 + idLength))
    return padded.subarray(0, padded.lastIndexOf(2))
  }
  const draft = ({ headers, body }: Pushed) => {
    const salt = parameter(headers['encryption'], 'salt')
    const sender = parameter(headers['crypto-key'], 'dh')
    const context = Buffer.concat([Buffer.from('P-256\0'), lengthOf(own), own, lengthOf(sender), sender])
    const ikm = hkdf(auth, curve.computeSecret(sender), Buffer.from('Content-Encoding: auth\0'), 32)
    const cek = hkdf(salt, ikm, Buffer.concat([Buffer.from('Content-Encoding: aesgcm\0'), context]), 16)
    const nonce = hkdf(salt, ikm, Buffer.concat([Buffer.from('Content-Encoding: nonce\0'), context]), 12)
    const padded = decrypt({ cek, nonce }, body)
    return padded.subarray(2 + padded.readUInt16BE(0))
  }
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    /** Decrypts an alert. @throws Error if it was encrypted for another subscription */
    reads: (pushed: Pushed): Record<string, unknown> => {
      const encoding = pushed.headers['content-encoding']
      return JSON.parse((encoding === 'aes128gcm' ? standard : draft)(pushed).toString())
    },
  }
}

/** The claims of the sender's token, after its signature was checked. @throws Error when another key signed it */
export const claimsOf = ({ headers }: Pushed): { key: string; claims: { aud: string; exp: number; sub: string } } => {
  const authorization = String(headers.authorization)
  const isStandard = authorization.startsWith('vapid ')
  const token = isStandard ? /t=([^,\s]+)/.exec(authorization)![1]! : authorization.replace(/^WebPush /, '')
  const key = isStandard ? parameter(authorization, 'k') : parameter(headers['crypto-key'], 'p256ecdsa')
  const [header, claims, signature] = token.split('.') as [string, string, string]
  const jwk = { kty: 'EC', crv: 'P-256', x: key.subarray(1, 33).toString('base64url'), y: key.subarray(33).toString('base64url') }
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new Error('signed by another key')
  return { key: key.toString('base64url'), claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) }
}

/** A push service on this machine. Each path answers as `answers` says; by default with 201 at once. */
export const openPushService = async () => {
  const pushed: Pushed[] = []
  const answers = new Map<string, { status: number; headers?: Record<string, string>; until?: Promise<unknown> }>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    pushed.push({ path, headers: request.headers, body: await buffer(request) })
    const { status, headers = {}, until } = answers.get(path) ?? { status: 201 }
    await until
    response.writeHead(status, headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://localhost:${port}`,
    answers,
    at: (path: string) => `http://localhost:${port}${path}`,
    to: (path: string) => pushed.filter((each) => each.path === path),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
