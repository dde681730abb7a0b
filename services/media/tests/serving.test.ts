import { request } from 'node:http'
import { startBucket, type TestBucket } from '@rookery/test-stores'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Storage } from '../src/storage/index.ts'
import { type Harness, openHarness } from './harness.ts'
import { inBucket } from './in-bucket.ts'
import { noise } from './pictures.ts'

let harness: Harness
let url: string
let whole: Buffer
let store: TestBucket
beforeAll(async () => {
  store = await startBucket()
})
afterAll(() => store.stop())

const ask = (headers: Record<string, string>, method = 'GET') => harness.fetchFile(url, { headers, method })

const storages = [
  ['on disk', (disk: Storage) => disk],
  ['in a bucket', () => inBucket(store)],
] as const

describe.each(storages)('%s', (_, storage) => {
  beforeAll(async () => {
    harness = await openHarness({ storage })
    const { attachment } = await harness.upload(await noise(200, 200).png().toBuffer())
    url = attachment!.url
    whole = Buffer.from(await (await harness.fetchFile(url)).arrayBuffer())
  })
  afterAll(() => harness.close())

  /** Requests a raw path, with exactly these headers: fetch would normalise the one and add to the other. */
  const askRaw = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const sent = request(harness.address, { path, headers }, (response) => {
        let body = ''
        response.setEncoding('latin1').on('data', (text) => {
          body += text
        })
        response.on('end', () => resolve({ status: response.statusCode, body }))
      })
      sent.on('error', reject).end()
    })

  describe('a file', () => {
    it('is for every page, for a year, and acts as nothing but itself', async () => {
      const response = await ask({ Origin: 'https://client.example' })
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'content-length': String(whole.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      })
      expect(response.headers.has('x-powered-by')).toBe(false)
    })

    it('is notified of without its bytes', async () => {
      const response = await ask({}, 'HEAD')
      expect([response.status, response.headers.get('content-length'), (await response.arrayBuffer()).byteLength]).toEqual([
        200,
        String(whole.length),
        0,
      ])
    })

    it('is not sent again to a client that has it', async () => {
      const tag = (await ask({})).headers.get('etag')!
      const { pathname } = new URL(url)
      expect(await askRaw(pathname, { 'If-None-Match': tag })).toEqual({ status: 304, body: '' })
      expect((await askRaw(pathname, { 'If-None-Match': '"other"' })).status).toBe(200)
    })

    it.each([
      ['bytes=0-9', 0, 9],
      ['bytes=10-10', 10, 10],
      ['bytes=-5', -5, -1],
      ['bytes=-99999999', 0, -1],
      ['bytes=100-', 100, -1],
      ['bytes=0-99999999', 0, -1],
    ])('is sent in part for %s', async (range, start, end) => {
      const size = whole.length
      const [first, last] = [start < 0 ? size + start : start, end < 0 ? size + end : end]
      const response = await ask({ Range: range })
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${size}`)
      expect(Buffer.from(await response.arrayBuffer()).equals(whole.subarray(first, last + 1))).toBe(true)
    })

    it.each([['bytes=99999999-'], ['bytes=-0']])('refuses %s', async (range) => {
      const response = await ask({ Range: range })
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`])
      expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
        'application/json; charset=utf-8',
        null,
      ])
      expect(await response.json()).toEqual({ error: 'Range not satisfiable' })
    })

    it.each([['bytes=0-1,5-6'], ['lines=0-1'], ['bytes=abc']])('is sent whole for %s', async (range) => {
      const response = await ask({ Range: range })
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, whole.length])
    })

    it('is sent in part only of the version that was meant', async () => {
      const tag = (await ask({})).headers.get('etag')!
      expect((await ask({ Range: 'bytes=0-1', 'If-Range': tag })).status).toBe(206)
      expect((await ask({ Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200)
    })

    it('may be asked for in part by pages of others', async () => {
      const response = await ask({ Origin: 'https://client.example', 'Access-Control-Request-Method': 'GET' }, 'OPTIONS')
      expect([response.status, response.headers.get('access-control-allow-headers')]).toEqual([204, 'Range'])
    })

    it('is served again after a reader who left in the middle', async () => {
      const left = new AbortController()
      const response = await fetch(url.replace('https://rookery.example', harness.address), { signal: left.signal })
      left.abort()
      await response.arrayBuffer().catch(() => undefined)
      expect((await ask({})).status).toBe(200)
    })
  })

  describe('anything else', () => {
    it.each([
      ['/media/'],
      ['/media/00000000000000000000000000000000.png'],
      ['/media/../../etc/passwd'],
      ['/media/..%2f..%2fetc%2fpasswd'],
      ['/media/%2e%2e/%2e%2e/etc/passwd'],
      ['/media/....//etc/passwd'],
      ['/media/%00.png'],
      ['/media/%zz'],
      ['/media/files'],
      ['/other'],
      ['//'],
    ])('is not found: %s', async (path) => {
      expect(await askRaw(path)).toEqual({ status: 404, body: '{"error":"Record not found"}' })
    })

    it('can only be read', async () => {
      expect((await ask({}, 'POST')).status).toBe(404)
      expect((await ask({}, 'DELETE')).status).toBe(404)
      expect((await ask({})).status).toBe(200)
    })
  })
})

describe('a file whose store fails', () => {
  beforeAll(async () => {
    harness = await openHarness({ storage: storages[1][1] })
    url = (await harness.upload(await noise(200, 200).png().toBuffer())).attachment!.url
  })
  afterAll(() => harness.close())

  it('is a fault of the moment, which no one keeps', async () => {
    store.fail(503, 503, 503)
    const response = await ask({})
    expect([response.status, await response.json()]).toEqual([503, { error: 'Service Unavailable' }])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await ask({})).status).toBe(200)
  })

  it('says nothing of itself when only its bytes cannot be had', async () => {
    store.fail('pass', 404)
    const response = await ask({ Range: 'bytes=0-1' })
    expect(response.status).toBe(500)
    for (const name of ['etag', 'content-range', 'accept-ranges']) expect(response.headers.has(name)).toBe(false)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('ends in the middle rather than as if it were whole', async () => {
    store.fail('pass', 'break')
    await expect(ask({}).then((response) => response.arrayBuffer())).rejects.toThrow()
  })
})
