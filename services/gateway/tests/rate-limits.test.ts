import { type Answer, type Asking, World } from '@rookery/test-world'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Rate limits (spec, Limits; beyond-the-spec 1.5).

const FIVE_MINUTES = 300_000
const HALF_HOUR = 1_800_000

let world: World
beforeAll(async () => {
  world = await World.open({ settings: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => world.close())
/** Each test starts at the beginning of all windows. */
beforeEach(() => world.clock.advance(HALF_HOUR - (world.clock.now() % HALF_HOUR)))

let hosts = 0
/** An unused client address. */
const address = () => `198.18.${++hosts >> 8}.${hosts & 255}`

type Caller = { token?: string; from: string }
const asks = ({ token, from }: Caller, method: string, path: string, asking: Asking = {}): Promise<Answer> =>
  world.asks(method, path, { token, ...asking, headers: { 'x-forwarded-for': from, ...asking.headers } })

const rateLimitOf = ({ headers }: Answer) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
  reset: headers.get('x-ratelimit-reset'),
})

/** Sends a request repeatedly, and returns the last answer. */
const often = async (times: number, ask: () => Promise<Answer>): Promise<Answer> => {
  let last: Answer | undefined
  for (let left = times; left > 0; left -= 30) last = (await Promise.all(Array.from({ length: Math.min(left, 30) }, ask))).at(-1)
  return last!
}

const TOO_MANY = { status: 429, body: { error: 'Too many requests' } }
const HEALTH = '/health'

let names = 0
const person = async () => (await world.person(`person_${++names}`)).token

describe('headers', () => {
  test('say how many of 300 calls are left, and when the window of five minutes ends', async () => {
    const from = address()
    expect(rateLimitOf(await asks({ from }, 'GET', HEALTH))).toMatchObject({ limit: 300, remaining: 299 })
    const second = rateLimitOf(await asks({ from }, 'GET', HEALTH))
    expect(second).toMatchObject({ limit: 300, remaining: 298 })
    const end = Math.ceil(world.clock.now() / FIVE_MINUTES) * FIVE_MINUTES
    expect(second.reset).toBe(new Date(end).toISOString().replace(/\.000Z$/, '.000000Z'))
  })

  test('are on every answer', async () => {
    const token = await person()
    const answers = [
      await asks({ from: address() }, 'HEAD', HEALTH),
      await asks({ from: address() }, 'GET', '/api/v1/timelines/home'),
      await asks({ from: address() }, 'GET', '/api/v1/tea'),
      await asks({ from: address() }, 'GET', '/api/v1/instance?%zz'),
      await asks({ from: address() }, 'GET', '/avatars/original/missing.png'),
      await asks({ from: address(), token }, 'POST', '/api/v1/statuses', { body: {} }),
      await asks({ from: address(), token }, 'POST', '/api/v1/statuses', { body: '{', headers: { 'content-type': 'application/json' } }),
      await asks({ from: address(), token }, 'GET', '/api/v1/statuses/1'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 400, 200, 422, 400, 404])
    for (const answer of answers) {
      expect(rateLimitOf(answer)).toMatchObject({ limit: 300, remaining: expect.toSatisfy((left: number) => left >= 290 && left < 300) })
      expect(answer.headers.get('x-ratelimit-reset')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    }
  })

  test('describe the limit that is closest', async () => {
    const caller = { token: await person(), from: address() }
    const upload = await asks(caller, 'POST', '/api/v2/media', { body: {} })
    expect(rateLimitOf(upload)).toEqual({ limit: 30, remaining: 29, reset: upload.headers.get('x-ratelimit-reset') })
    expect(Date.parse(upload.headers.get('x-ratelimit-reset')!) % HALF_HOUR).toBe(0)
    expect(rateLimitOf(await asks(caller, 'GET', HEALTH))).toMatchObject({ limit: 300, remaining: 298 })
    await often(280, () => asks(caller, 'GET', HEALTH))
    expect(rateLimitOf(await asks(caller, 'POST', '/api/v2/media', { body: {} }))).toMatchObject({ limit: 300, remaining: 17 })
  })
})

describe('300 calls in five minutes', () => {
  test('by an account, wherever from', async () => {
    const token = await person()
    expect((await often(300, () => asks({ token, from: address() }, 'GET', HEALTH))).status).toBe(200)
    const exceeded = await asks({ token, from: address() }, 'POST', '/api/v1/statuses', { body: { status: 'one too many' } })
    expect(exceeded).toMatchObject(TOO_MANY)
    expect(rateLimitOf(exceeded)).toMatchObject({ limit: 300, remaining: 0 })
    expect(exceeded.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(exceeded.headers.get('access-control-allow-origin')).toBe('*')
    expect((await world.get('/api/v1/timelines/public')).body).toEqual([])
    expect((await asks({ token: await person(), from: address() }, 'GET', HEALTH)).status).toBe(200)
    world.clock.advance(FIVE_MINUTES)
    expect(rateLimitOf(await asks({ token, from: address() }, 'GET', HEALTH))).toMatchObject({ limit: 300, remaining: 299 })
  })

  test('by an address, no matter who asks', async () => {
    const from = address()
    const people = [await person(), await person()]
    let turn = 0
    const tokens = [undefined, 'x'.repeat(43), ...people]
    await often(300, () => {
      const token = tokens[turn++ % tokens.length]
      return asks({ from, ...(token ? { token } : {}) }, 'GET', turn % 2 ? HEALTH : '/api/v1/tea')
    })
    expect(await asks({ from }, 'GET', HEALTH)).toMatchObject(TOO_MANY)
    expect(await asks({ from }, 'GET', '/api/v1/tea')).toMatchObject(TOO_MANY)
    expect(await asks({ from, token: people[0]! }, 'GET', HEALTH)).toMatchObject(TOO_MANY)
    expect((await asks({ from: address(), token: people[0]! }, 'GET', HEALTH)).status).toBe(200)
    world.clock.advance(FIVE_MINUTES)
    expect((await asks({ from }, 'GET', HEALTH)).status).toBe(200)
  })
})

describe('30 in half an hour by an account', () => {
  test('uploads, by both paths together', async () => {
    const token = await person()
    const upload = (path: string) => asks({ token, from: address() }, 'POST', path, { body: {} })
    await often(15, () => upload('/api/v1/media'))
    expect(rateLimitOf(await often(15, () => upload('/api/v2/media')))).toMatchObject({ limit: 30 })
    for (const path of ['/api/v1/media', '/api/v2/media']) expect(await upload(path)).toMatchObject(TOO_MANY)
    expect((await asks({ token, from: address() }, 'GET', HEALTH)).status).toBe(200)
    expect((await asks({ token: await person(), from: address() }, 'POST', '/api/v1/media', { body: {} })).status).toBe(422)
    world.clock.advance(FIVE_MINUTES)
    expect(await upload('/api/v1/media')).toMatchObject(TOO_MANY)
    world.clock.advance(HALF_HOUR)
    expect((await upload('/api/v1/media')).status).toBe(422)
  })

  test('deletions and taking back boosts, together', async () => {
    const token = await person()
    const undo = (method: string, path: string) => asks({ token, from: address() }, method, path)
    await often(15, () => undo('DELETE', '/api/v1/statuses/1'))
    await often(15, () => undo('POST', '/api/v1/statuses/1/unreblog'))
    expect(await undo('DELETE', '/api/v1/statuses/1')).toMatchObject(TOO_MANY)
    expect(await undo('POST', '/api/v1/statuses/1/unreblog')).toMatchObject(TOO_MANY)
    expect((await undo('POST', '/api/v1/statuses/1/unfavourite')).status).toBe(404)
    expect((await undo('GET', '/api/v1/statuses/1')).status).toBe(404)
  })
})

test('5 sign-ups in half an hour by an address', async () => {
  const app = await asks({ from: address() }, 'POST', '/api/v1/apps', {
    body: { client_name: 'Tea', redirect_uris: 'tea://', scopes: 'write' },
  })
  const { client_id, client_secret } = app.body
  const grant = { grant_type: 'client_credentials', client_id, client_secret, scope: 'write', redirect_uri: 'tea://' }
  const token = (await asks({ from: address() }, 'POST', '/oauth/token', { body: grant })).body.access_token
  const from = address()
  const signUp = (caller: Caller) => asks(caller, 'POST', '/api/v1/accounts', { body: {} })
  expect(rateLimitOf(await signUp({ token, from }))).toMatchObject({ limit: 5, remaining: 4 })
  expect((await often(4, () => signUp({ token, from }))).status).toBe(422)
  expect(await signUp({ token, from })).toMatchObject(TOO_MANY)
  expect((await signUp({ token, from: address() })).status).toBe(422)
})

describe('an address', () => {
  const left = async (from: string) => rateLimitOf(await asks({ from }, 'GET', HEALTH)).remaining

  test('of IPv6 is a network of 64 bits', async () => {
    expect(await left('2001:db8:1:2::1')).toBe(299)
    expect(await left('2001:db8:1:2:ffff:ffff:ffff:9')).toBe(298)
    expect(await left('2001:DB8:1:2:0:0:0:7')).toBe(297)
    expect(await left('2001:db8:1:3::1')).toBe(299)
  })

  test('of IPv4 is the same in its spelling as IPv6', async () => {
    expect(await left('198.51.100.1')).toBe(299)
    expect(await left('::ffff:198.51.100.1')).toBe(298)
    expect(await left('198.51.100.2')).toBe(299)
  })

  test('is the last that no trusted proxy wrote', async () => {
    expect(await left('203.0.113.1')).toBe(299)
    expect(await left('10.0.0.1, 203.0.113.1')).toBe(298)
    expect(await left('203.0.113.9, 203.0.113.1, 127.0.0.1')).toBe(297)
    expect(await left('203.0.113.9')).toBe(299)
    expect(await left('not an address, 203.0.113.1')).toBe(296)
  })

  test('is the connection’s where no proxy is trusted', async () => {
    const alone = await World.open({ settings: { RATE_LIMITS: 'on' } })
    try {
      const ask = (from: string) => alone.asks('GET', HEALTH, { headers: { 'x-forwarded-for': from } })
      const counts = [await ask('203.0.113.1'), await ask('203.0.113.2'), await ask('203.0.113.3')].map(rateLimitOf)
      expect(counts.map(({ remaining }) => remaining)).toEqual([299, 298, 297])
    } finally {
      await alone.close()
    }
  })
})

test('asking what may be asked from another origin costs nothing', async () => {
  const from = address()
  await asks({ from }, 'GET', HEALTH)
  const headers = { origin: 'https://elk.example', 'access-control-request-method': 'POST' }
  for (let index = 0; index < 5; index++) expect((await asks({ from }, 'OPTIONS', '/api/v1/statuses', { headers })).status).toBe(204)
  expect(rateLimitOf(await asks({ from }, 'GET', HEALTH)).remaining).toBe(298)
})

test('nothing is counted where limits are off', async () => {
  const free = await World.open()
  try {
    expect((await free.get(HEALTH)).headers.get('x-ratelimit-limit')).toBeNull()
  } finally {
    await free.close()
  }
})

test('pages for browsers count as any other call, and end in a page', async () => {
  const from = address()
  const visit = () => asks({ from }, 'GET', '/@nobody', { headers: { accept: 'text/html' } })
  expect(rateLimitOf(await visit())).toMatchObject({ limit: 300, remaining: 299 })
  expect((await often(299, () => asks({ from }, 'GET', HEALTH))).status).toBe(200)
  const page = await visit()
  expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8'])
  expect(page.text).toContain('Too many requests')
  expect((await asks({ from: address() }, 'GET', '/@nobody', { headers: { accept: 'text/html' } })).status).toBe(404)
})
