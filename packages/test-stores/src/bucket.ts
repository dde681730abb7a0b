import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { readStoreConfig } from './config.ts'

/**
 * How the next request fails: with a status, without an answer, or with a connection that closes before or in the middle of one; `pass`
 * does not fail.
 */
export type BucketFault = number | 'silence' | 'hang up' | 'break' | 'pass'

/** A store that implements the part of S3 that files need. */
export type TestBucket = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly keyId: string
  readonly key: string
  /** The stored objects by name, with their headers. */
  readonly objects: ReadonlyMap<string, { bytes: Buffer; headers: Record<string, string> }>
  /** The requests received, as `GET name`. */
  readonly asked: string[]
  /** Makes the next requests fail, one fault each. */
  fail(...faults: BucketFault[]): void
  stop(): Promise<void>
}

const CREDENTIALS = { bucket: 'birds', region: 'eu-nest-1', keyId: 'AKIABIRDS', key: 'only the birds know' }

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const encode = (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

/** The canonical request of AWS Signature Version 4, written from its documentation and not from a client. */
const canonical = (request: IncomingMessage, url: URL, signed: readonly string[]) => {
  const query = [...url.searchParams].map((pair) => pair.map(encode).join('=')).sort()
  const headers = signed.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
  const path = url.pathname.split('/').map((part) => encode(decodeURIComponent(part)))
  const digest = String(request.headers['x-amz-content-sha256'])
  return [request.method, path.join('/'), query.join('&'), headers.join(''), signed.join(';'), digest].join('\n')
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** The fault of a request's signature, as an S3 error code. */
const faultOf = (request: IncomingMessage, url: URL, body: Buffer): string | undefined => {
  const [, keyId, day = '', region = '', names = '', signature = ''] = AUTHORIZATION.exec(request.headers.authorization ?? '') ?? []
  if (keyId !== CREDENTIALS.keyId) return 'InvalidAccessKeyId'
  const signed = names.split(';')
  const moment = String(request.headers['x-amz-date'])
  const isWhole =
    signed.includes('host') && Object.keys(request.headers).every((name) => !name.startsWith('x-amz-') || signed.includes(name))
  if (!isWhole || region !== CREDENTIALS.region || !moment.startsWith(day)) return 'AuthorizationHeaderMalformed'
  const age = Date.now() - Date.parse(moment.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(age) < 900_000)) return 'RequestTimeTooSkewed'
  const text = ['AWS4-HMAC-SHA256', moment, `${day}/${region}/s3/aws4_request`, sha256(canonical(request, url, signed))].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>((from, part) => hmac(from, part), `AWS4${CREDENTIALS.key}`)
  if (!timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch'
  return request.headers['x-amz-content-sha256'] === sha256(body) ? undefined : 'XAmzContentSHA256Mismatch'
}

type Answer = { status: number; headers?: Record<string, string | number>; body?: Buffer | string }

const complaint = (status: number, code: string): Answer => ({ status, body: `<Error><Code>${code}</Code></Error>` })

const MARKUP: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const listOf = (names: readonly string[], query: URLSearchParams): Answer => {
  const after = query.get('start-after') ?? ''
  const fitting = names.filter((name) => name.startsWith(query.get('prefix') ?? '') && name > after).sort()
  const keys = fitting.slice(0, Number(query.get('max-keys') ?? 1000)).map((name) => name.replace(/[&<>]/g, (mark) => MARKUP[mark]!))
  const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`)
  return { status: 200, body: `<ListBucketResult>${contents.join('')}</ListBucketResult>` }
}

const write = (response: ServerResponse, method: string | undefined, { status, headers, body = '' }: Answer) => {
  response.writeHead(status, { 'content-length': body.length, ...headers }).end(method === 'HEAD' ? undefined : body)
}

/** The bucket of a real store that the environment names for this run; it is empty before and after. */
export const outerBucket = (): Pick<TestBucket, 'endpoint' | 'bucket' | 'region' | 'keyId' | 'key'> | undefined => {
  const { bucketUrl } = readStoreConfig()
  if (!bucketUrl) return undefined
  const { origin, pathname, username, password, searchParams } = new URL(bucketUrl)
  const [keyId, key] = [decodeURIComponent(username), decodeURIComponent(password)]
  return { endpoint: origin, bucket: pathname.slice(1), region: searchParams.get('region') ?? 'us-east-1', keyId, key }
}

/** Starts a store with one bucket, in memory of this process. It accepts only requests signed with its key. */
export const startBucket = async (): Promise<TestBucket> => {
  const objects = new Map<string, { bytes: Buffer; headers: Record<string, string> }>()
  const faults: BucketFault[] = []
  const asked: string[] = []

  const put = (name: string, bytes: Buffer, request: IncomingMessage): Answer => {
    const reported = ['content-type', 'cache-control'].map((header) => [header, String(request.headers[header])])
    objects.set(name, { bytes, headers: Object.fromEntries(reported) })
    return { status: 200 }
  }
  const drop = (name: string): Answer => {
    objects.delete(name)
    return { status: 204 }
  }
  const read = (name: string, range: string | undefined): Answer => {
    const found = objects.get(name)
    if (!found) return complaint(404, 'NoSuchKey')
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (start === undefined) return { status: 200, headers: found.headers, body: found.bytes }
    return { status: 206, headers: found.headers, body: found.bytes.subarray(Number(start), Number(end) + 1) }
  }
  const answer = (request: IncomingMessage, url: URL, body: Buffer): Answer => {
    const fault = faultOf(request, url, body)
    if (fault) return complaint(403, fault)
    const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/')
    if (bucket !== CREDENTIALS.bucket) return complaint(404, 'NoSuchBucket')
    const name = rest.join('/')
    asked.push(`${request.method} ${name}`)
    if (request.method === 'PUT') return put(name, body, request)
    if (request.method === 'DELETE') return drop(name)
    return name ? read(name, request.headers.range) : listOf([...objects.keys()], url.searchParams)
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const url = new URL(request.url ?? '', 'http://store')
    const fault = faults.shift()
    if (fault === 'silence') return
    if (fault === 'hang up') return void request.socket.destroy()
    if (fault === 'break') return void response.writeHead(200, { 'content-length': 1000 }).write('half', () => response.destroy())
    write(response, request.method, typeof fault === 'number' ? complaint(fault, 'SlowDown') : answer(request, url, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...CREDENTIALS,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    asked,
    fail: (...more) => void faults.push(...more),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
