import { type Answer, type Person, World } from '@rookery/test-world'
import { send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/module.ts'

// Pages of other origins may use the whole API (beyond-the-spec 3.4).

let world: World
let mara: Person
beforeAll(async () => {
  world = await World.open()
  mara = await world.person('mara')
})
afterAll(() => world.close())

const ORIGIN = { origin: 'https://elk.example' }
const words = (header: unknown) =>
  String(header ?? '')
    .split(/,\s*/)
    .map((word) => word.toLowerCase())

describe('a preflight', () => {
  const preflight = (path: string, method: string, headers = 'authorization,content-type,idempotency-key,x-anything') =>
    send(world.origin, {
      method: 'OPTIONS',
      path,
      headers: { ...ORIGIN, 'access-control-request-method': method, 'access-control-request-headers': headers },
    })

  test('of every endpoint allows its method and any header, without a token', async () => {
    for (const { method, path } of endpoints.filter((endpoint) => endpoint.path.startsWith('/api/'))) {
      const { status, headers, text } = await preflight(path.replace(/:\w+/g, '1'), method)
      expect({ path, status, text, origin: headers['access-control-allow-origin'] }).toEqual({ path, status: 204, text: '', origin: '*' })
      expect(words(headers['access-control-allow-methods'])).toContain(method.toLowerCase())
      const allowed = words(headers['access-control-allow-headers'])
      for (const wanted of ['authorization', 'content-type', 'idempotency-key', 'x-anything']) expect(allowed).toContain(wanted)
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      expect(Number(headers['access-control-max-age'])).toBeGreaterThan(0)
    }
  })

  test.each([
    ['/oauth/token', 'POST'],
    ['/oauth/revoke', 'POST'],
    ['/.well-known/oauth-authorization-server', 'GET'],
    ['/.well-known/nodeinfo', 'GET'],
    ['/.well-known/webfinger', 'GET'],
    ['/nodeinfo/2.0', 'GET'],
    ['/api/v1/streaming/user', 'GET'],
    ['/api/v1/streaming/health', 'GET'],
    ['/api/v1/nothing/here', 'GET'],
  ])('of %s succeeds', async (path, method) => {
    const { status, headers } = await preflight(path, method)
    expect({ isOk: status >= 200 && status < 300, origin: headers['access-control-allow-origin'] }).toEqual({ isOk: true, origin: '*' })
    expect(words(headers['access-control-allow-methods'])).toContain(method.toLowerCase())
    expect(words(headers['access-control-allow-headers']).some((word) => ['authorization', '*'].includes(word))).toBe(true)
  })
})

describe('an answer', () => {
  const EXPOSED = ['link', 'x-ratelimit-reset', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-request-id']
  const expectOpen = ({ headers }: Answer) => {
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  }

  test.each<[string, () => Promise<Answer>, number]>([
    ['200', () => mara.asks('GET', '/api/v1/timelines/home', { headers: ORIGIN }), 200],
    ['400', () => mara.asks('GET', '/api/v1/accounts/lookup', { headers: ORIGIN }), 400],
    ['401', () => world.asks('GET', '/api/v1/timelines/home', { headers: ORIGIN }), 401],
    ['404', () => mara.asks('GET', '/api/v1/statuses/1', { headers: ORIGIN }), 404],
    ['404 of no endpoint', () => mara.asks('GET', '/api/v1/tea', { headers: ORIGIN }), 404],
    ['422', () => mara.asks('POST', '/api/v1/statuses', { headers: ORIGIN, body: {} }), 422],
  ])('of %s is readable from any origin, with its headers', async (_case, ask, status) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    expectOpen(answer)
    expect(words(answer.headers.get('access-control-expose-headers'))).toEqual(expect.arrayContaining(EXPOSED))
    expect(words(answer.headers.get('vary'))).toEqual(expect.arrayContaining(['authorization', 'origin']))
  })

  test('of every endpoint is readable from any origin', async () => {
    for (const { method, path } of endpoints) expectOpen(await world.asks(method, path.replace(/:\w+/g, '1'), { headers: ORIGIN }))
  })

  test.each([
    ['POST', '/oauth/token'],
    ['POST', '/oauth/revoke'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/api/v1/streaming/health'],
    ['GET', '/api/v1/streaming/user'],
  ])('of %s %s is readable from any origin', async (method, path) => {
    expectOpen(await world.asks(method, path, { headers: ORIGIN }))
  })

  test('is kept by no cache, but for what is the same for everyone', async () => {
    const cache = async (path: string) => (await mara.get(path)).headers.get('cache-control')
    expect(await cache('/api/v1/timelines/home')).toBe('private, no-store')
    expect(await cache('/api/v1/timelines/public')).toBe('private, no-store')
    expect(await cache('/api/v1/statuses/1')).toBe('private, no-store')
    expect(await cache('/.well-known/nodeinfo')).toMatch(/^public, max-age=\d+$/)
  })

  test('that is a file is readable from any origin', async () => {
    const form = new FormData()
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    form.set('file', new File([Buffer.from(pixel, 'base64')], 'pixel.png', { type: 'image/png' }))
    const { body: media } = await mara.asks('POST', '/api/v2/media', { body: form })
    for (const url of [media.url, media.preview_url]) {
      const answer = await world.asks('GET', new URL(url).pathname, { headers: ORIGIN })
      expect(answer.status).toBe(200)
      expectOpen(answer)
    }
  })
})
