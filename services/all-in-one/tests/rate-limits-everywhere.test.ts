import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { endpoints } from '@rookery/gateway'
import { type Person, World } from '@rookery/test-world'
import { Browser } from '@rookery/test-world/outside'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Every public endpoint counts in the rate limit of the caller's address, and reports it (spec, Limits).

const FIVE_MINUTES = 300_000

let world: World
let mara: Person
beforeAll(async () => {
  world = await World.open({
    settings: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1', CONFIRMATION: 'mail', SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  mara = await world.person('mara')
})
afterAll(() => world.close())
beforeEach(() => world.clock.advance(6 * FIVE_MINUTES - (world.clock.now() % (6 * FIVE_MINUTES))))

let hosts = 0
const address = () => `198.18.${++hosts >> 8}.${hosts & 255}`

type Asked = { method: string; path: string; headers?: Record<string, string> }
type Reported = { status: number; headers: IncomingHttpHeaders; body: string }

const JSON_TYPE = { 'content-type': 'application/json' }
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

/** The head of an answer, and its body unless it is a stream. */
const send = ({ method, path, headers = {} }: Asked, from: string): Promise<Reported> =>
  new Promise((resolve, reject) => {
    const asking = request(new URL(path, world.origin), { method, agent: false, headers: { 'x-forwarded-for': from, ...headers } })
    const answered = (response: IncomingMessage, body: string) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    asking.on('upgrade', (response, socket) => {
      socket.destroy()
      answered(response, '')
    })
    asking.on('response', (response) => {
      if (response.headers['content-type'] === 'text/event-stream') {
        response.destroy()
        return answered(response, '')
      }
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => answered(response, body))
    })
    asking.on('error', reject)
    asking.end()
  })

const statusOf = ({ headers }: Reported) => ({
  limit: Number(headers['x-ratelimit-limit']),
  remaining: Number(headers['x-ratelimit-remaining']),
})

const PAGES = [
  '/auth/sign_in',
  '/auth/sign_up',
  '/auth/sign_out',
  '/auth/confirmation',
  '/auth/password/new',
  '/auth/password/reset',
  '/auth/account',
  '/auth/account/email',
  '/auth/account/email/confirm',
  '/auth/account/password',
  '/auth/account/data',
  '/auth/account/data/archive.zip',
  '/auth/account/data/following.csv',
  '/auth/account/data/imports/1/failures.csv',
  '/disputes/strikes/1',
  '/invite/1',
  '/auth/account/invites',
  '/auth/account/move',
  '/auth/account/delete',
  '/auth/nothing',
]
const FORMS = [
  ...PAGES,
  '/disputes/appeal',
  '/auth/confirmation/resend',
  '/auth/account/invites/end',
  '/auth/account/apps',
  '/auth/account/browsers',
  '/auth/account/everywhere',
  '/auth/account/move/undo',
  '/auth/account/move/aliases',
  '/auth/account/move/aliases/remove',
  '/oauth/interaction/x/approve',
]
const OAUTH = ['/oauth/authorize', '/oauth/authorize/x', '/oauth/authorize/native', '/oauth/interaction/x', '/oauth/nothing']
const STREAMS = ['user', 'user/notification', 'direct', 'public', 'hashtag?tag=tea', 'list?list=1', 'health', 'nothing']
const BROWSED = ['/', '/@mara', '/@nobody', '/@mara/1', '/nothing']
const OF_SERVERS = ['/users/mara', '/users/mara/outbox', '/users/mara/statuses/1', '/actor']
const HTML = { accept: 'text/html' }

const PLACES: [string, Asked][] = [
  ...endpoints.map(({ method, path }): Asked => ({ method, path: path.replace(/:\w+/g, '1'), headers: JSON_TYPE })),
  ...PAGES.map((path): Asked => ({ method: 'GET', path, headers: HTML })),
  ...FORMS.map((path): Asked => ({ method: 'POST', path, headers: HTML })),
  ...OAUTH.map((path): Asked => ({ method: 'GET', path, headers: HTML })),
  ...['/oauth/token', '/oauth/revoke'].map((path): Asked => ({ method: 'POST', path, headers: JSON_TYPE })),
  ...STREAMS.map((name): Asked => ({ method: 'GET', path: `/api/v1/streaming/${name}` })),
  { method: 'GET', path: '/.well-known/oauth-authorization-server' },
  { method: 'GET', path: '/api/v1/streaming' },
  { method: 'GET', path: '/api/v1/streaming', headers: UPGRADE },
  { method: 'GET', path: '/api/v1/streaming?access_token=wrong', headers: UPGRADE },
  ...BROWSED.map((path): Asked => ({ method: 'GET', path, headers: HTML })),
  ...OF_SERVERS.map((path): Asked => ({ method: 'GET', path, headers: { accept: 'application/activity+json' } })),
  { method: 'POST', path: '/inbox', headers: { 'content-type': 'application/activity+json' } },
  { method: 'GET', path: '/api/v1/nothing' },
  { method: 'DELETE', path: '/api/v1/instance' },
].map((asked) => [`${asked.method} ${asked.path}${asked.headers === UPGRADE ? ' as a WebSocket' : ''}`, asked])

describe('an address is counted by', () => {
  test.each(PLACES)('%s', async (_name, asked) => {
    const from = address()
    const { limit, remaining } = statusOf(await send(asked, from))
    expect(remaining).toBe(limit - 1)
    expect(statusOf(await send({ method: 'GET', path: '/health' }, from))).toEqual({ limit: 300, remaining: 298 })
  })
})

describe('beyond 300 calls in five minutes an address is refused by', () => {
  const from = '203.0.113.77'
  const useUp = async () => {
    for (let calls = 0; calls < 10; calls++)
      await Promise.all(Array.from({ length: 30 }, () => send({ method: 'GET', path: '/health' }, from)))
  }

  test('every place, with the headers of the contract', async () => {
    await useUp()
    for (const [name, asked] of PLACES) {
      const answer = await send(asked, from)
      expect({ name, status: answer.status, ...statusOf(answer) }).toMatchObject({ name, status: 429, remaining: 0 })
      expect(answer.headers['x-ratelimit-reset']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      const isPage = asked.headers === HTML
      if (isPage) expect(answer.headers['content-type']).toMatch(/^text\/html/)
      else if (asked.headers !== UPGRADE) expect(JSON.parse(answer.body)).toEqual({ error: 'Too many requests' })
      if (asked.path.startsWith('/api/') || asked.path.startsWith('/oauth/token')) {
        expect({ name, origin: answer.headers['access-control-allow-origin'] }).toEqual({ name, origin: '*' })
      }
    }
  })

  test('streams, also with a good token, and lets it in again in the next window', async () => {
    await useUp()
    const stream = { method: 'GET', path: `/api/v1/streaming/user?access_token=${mara.token}` }
    const socket = { method: 'GET', path: `/api/v1/streaming?access_token=${mara.token}`, headers: UPGRADE }
    expect((await send(stream, from)).status).toBe(429)
    expect(await send(socket, from)).toMatchObject({ status: 429, headers: { 'x-error-message': 'Too many requests' } })
    world.clock.advance(FIVE_MINUTES)
    for (const asked of [stream, socket]) {
      const answer = await send(asked, from)
      expect(answer.status).toBe(asked === socket ? 101 : 200)
      expect(statusOf(answer).limit).toBe(300)
    }
  })

  test('nothing that a browser asks before it sends a request to another origin', async () => {
    await useUp()
    const headers = { origin: 'https://elk.example', 'access-control-request-method': 'POST' }
    for (const path of ['/api/v1/statuses', '/oauth/token', '/oauth/revoke', '/api/v1/streaming/user']) {
      expect({ path, status: (await send({ method: 'OPTIONS', path, headers }, from)).status }).toEqual({ path, status: 204 })
    }
  })
})

test('streams and upgrades count for an account, wherever from', async () => {
  const joel = await world.person('joel')
  const left = async (asked: Asked) => statusOf(await send(asked, address())).remaining
  expect(await left({ method: 'GET', path: `/api/v1/streaming/user?access_token=${joel.token}` })).toBe(299)
  expect(await left({ method: 'GET', path: `/api/v1/streaming?access_token=${joel.token}`, headers: UPGRADE })).toBe(298)
  expect(await left({ method: 'GET', path: `/api/v1/instance?access_token=${joel.token}` })).toBe(297)
})

describe('sign-ups', () => {
  const byPage = async (from: string) => {
    const browser = new Browser({ base: world.origin, server: world.origin, headers: { 'x-forwarded-for': from } })
    return browser.submit(await browser.visit('/auth/sign_up'), {})
  }
  const byApi = async (from: string) =>
    (await world.asks('POST', '/api/v1/accounts', { body: {}, headers: { 'x-forwarded-for': from } })).status

  test('by the page and by the API count together: five of an address in half an hour', async () => {
    const from = address()
    for (let times = 0; times < 3; times++) expect((await byPage(from)).status).toBe(422)
    const fourth = await byPage(from)
    expect([fourth.headers.get('x-ratelimit-limit'), fourth.headers.get('x-ratelimit-remaining')]).toEqual(['5', '1'])
    expect(await byApi(from)).toBe(401)
    expect(await byApi(from)).toBe(429)
    expect(await byPage(from)).toMatchObject({ status: 429, text: expect.stringContaining('Too many attempts') })
    expect((await byPage(address())).status).toBe(422)
  })
})

test('five apps in ten minutes are registered by an address', async () => {
  const from = address()
  const register = () =>
    world.asks('POST', '/api/v1/apps', { body: { client_name: 'Tea', redirect_uris: 'tea://' }, headers: { 'x-forwarded-for': from } })
  for (let times = 0; times < 5; times++) expect((await register()).status).toBe(200)
  expect(await register()).toMatchObject({ status: 429, body: { error: 'Too many requests' } })
  world.clock.advance(FIVE_MINUTES)
  expect((await register()).status).toBe(429)
  world.clock.advance(FIVE_MINUTES)
  expect((await register()).status).toBe(200)
})

describe('wrong bearer tokens', () => {
  const ask = (path: string, token: string, from: string, headers: Record<string, string> = {}) =>
    send({ method: 'GET', path, headers: { authorization: `Bearer ${token}`, ...headers } }, from)

  test('are answered 25 times in five minutes, at the API and at streams together; a good one always', async () => {
    const from = address()
    const wrong = [
      () => ask('/api/v1/timelines/home', 'x'.repeat(43), from),
      () => ask('/api/v1/streaming/user', 'y'.repeat(43), from),
      () => ask('/api/v1/streaming', 'z'.repeat(43), from, UPGRADE),
    ]
    for (let times = 0; times < 25; times++) {
      const answer = await wrong[times % 3]!()
      expect([answer.status, statusOf(answer)]).toEqual([401, { limit: 25, remaining: 24 - times }])
    }
    for (const asked of wrong) expect((await asked()).status).toBe(429)
    expect((await ask('/api/v1/timelines/home', mara.token, from)).status).toBe(200)
    // A client with a wrong token may still sign in.
    const grant = { grant_type: 'client_credentials', client_id: 'x', client_secret: 'x' }
    expect((await world.asks('POST', '/oauth/token', { body: grant, headers: { 'x-forwarded-for': from } })).status).toBe(401)
    expect((await ask('/api/v1/timelines/home', 'x'.repeat(43), address())).status).toBe(401)
    world.clock.advance(FIVE_MINUTES)
    expect((await wrong[0]!()).status).toBe(401)
  })
})
