import { Failure } from '@rookery/failures'
import { type RequestHandler, Router } from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { addressOf } from './address.ts'
import { crossOrigin } from './cross-origin.ts'
import { createEdge } from './edge.ts'
import { edgeWarnings } from './untrusted-proxy.ts'

type Line = { level: string; line: Record<string, unknown>; sentence: string }

/** An edge with these routes, and its log lines. */
const edgeOf = (routes: readonly (RequestHandler | Router)[], trustedProxies: readonly string[] = []) => {
  const lines: Line[] = []
  const level = (name: string) => (line: object, sentence: string) => void lines.push({ level: name, line: { ...line }, sentence })
  const log = { debug: level('debug'), warn: level('warn'), error: level('error') }
  return { ask: supertest(createEdge({ log, routes, trustedProxies }).answer), lines, warnings: () => edgeWarnings(log) }
}

const cups = Router().get('/cups/:id', (_request, response) => void response.json({ tea: true }))

test('an answer carries the id of its request, which its line in the log names with the pattern of its path', async () => {
  const { ask, lines } = edgeOf([cups])
  const answer = await ask.get('/cups/7?token=secret').expect(200, { tea: true })
  const line = { method: 'GET', route: '/cups/:id', status: 200, ms: expect.any(Number), request: answer.headers['x-request-id'] }
  expect(lines).toEqual([{ level: 'debug', line, sentence: 'request' }])
})

test('an answer says nothing of express and has no ETag', async () => {
  const { headers } = await edgeOf([cups]).ask.get('/cups/7')
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-powered-by']))
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['etag']))
})

test.each([
  ['what no route answers', '/pots', 404, 'Not Found'],
  ['a path that cannot be decoded', '/cups/%zz', 404, 'Not Found'],
  ['a failure', '/refused', 422, 'Too hot'],
  ['a failure of a promise', '/later', 503, 'Service Unavailable'],
  ['what no one expected', '/broken', 500, 'Something went wrong on our end'],
])('%s is answered as JSON', async (_case, path, status, error) => {
  const routes = Router()
    .use(cups)
    .get('/refused', () => {
      throw new Failure('invalid', 'Too hot')
    })
    .get('/later', async () => {
      throw new Failure('unavailable', 'Service Unavailable')
    })
    .get('/broken', () => {
      throw new Error('a secret')
    })
  const { ask, lines } = edgeOf([routes])
  const answer = await ask.get(path).set('accept', 'text/html').expect(status, { error })
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' })
  expect(lines.map(({ sentence }) => sentence)).toEqual([
    ...(status === 500 ? ['unhandled error in request'] : []),
    status >= 500 ? 'request failed' : 'request',
  ])
})

test('the violations of a failure are details, and a 401 says what token it wants', async () => {
  const violations = [{ field: 'name', code: 'ERR_BLANK', description: 'is blank' }]
  const routes = Router()
    .get('/name', () => {
      throw new Failure('invalid', 'Validation failed', { violations })
    })
    .get('/token', () => {
      throw new Failure('unauthenticated', 'The access token is invalid')
    })
  const { ask } = edgeOf([routes])
  const details = { name: [{ error: 'ERR_BLANK', description: 'is blank' }] }
  await ask.get('/name').expect(422, { error: 'Validation failed', details })
  await ask
    .get('/token')
    .expect(401)
    .expect('www-authenticate', /^Bearer .*error_description="The access token is invalid"$/)
})

test('an answer that has begun and fails is cut off', async () => {
  const fails: RequestHandler = (_request, response) => {
    response.write('half')
    throw new Error('out of tea')
  }
  await expect(edgeOf([fails]).ask.get('/')).rejects.toThrow(/aborted|socket hang up/)
})

test('a failure that cannot be answered is a bare 500', async () => {
  const fails: RequestHandler = (_request, response) => {
    response.json = response.writeHead = () => {
      Reflect.deleteProperty(response, 'writeHead')
      throw new Error('no head')
    }
    throw new Failure('invalid', 'Too hot')
  }
  const { text } = await edgeOf([fails]).ask.get('/').expect(500)
  expect(text).toBe('')
})

const emailAddress: RequestHandler = (request, response) => void response.json(addressOf(request))

test.each([
  ['is the connection’s where no proxy is trusted', [], '203.0.113.1', '127.0.0.1'],
  ['is the last that no trusted proxy wrote', ['loopback', '10.0.0.0/8'], '203.0.113.9, 203.0.113.1, 10.0.0.1', '203.0.113.1'],
  ['is the connection’s where what was forwarded is none', ['loopback'], 'tea', '127.0.0.1'],
])('the address of a caller %s', async (_case, trusted, forwarded, address) => {
  const { body } = await edgeOf([emailAddress], trusted).ask.get('/').set('x-forwarded-for', forwarded)
  expect(String(body).replace('::ffff:', '')).toBe(address)
})

test.each([
  ['is noticed once', [], '203.0.113.1', 1],
  ['that is trusted is none of it', ['loopback'], '203.0.113.1', 0],
  ['that forwards no address is none of it', [], undefined, 0],
])('a proxy nearby %s', async (_case, trusted, forwarded, count) => {
  const { ask, lines, warnings } = edgeOf([cups], trusted)
  for (let time = 0; time < 3; time++) await ask.get('/cups/7').set(forwarded ? { 'x-forwarded-for': forwarded } : {})
  expect(warnings()).toHaveLength(count)
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(count)
  for (const warning of warnings()) expect(warning).toMatch(/127\.0\.0\.1.*TRUSTED_PROXIES/)
})

test('an edge for no one outside looks for no proxies', async () => {
  const log = { debug() {}, warn() {}, error() {} }
  await supertest(createEdge({ log, routes: [cups] }).answer)
    .get('/cups/7')
    .set('x-forwarded-for', '203.0.113.1')
  expect(edgeWarnings(log)).toEqual([])
})

test('a preflight is answered at once; any other answer is readable from any origin', async () => {
  const { ask } = edgeOf([...crossOrigin('GET'), cups])
  const asked = await ask.options('/cups/7').set('access-control-request-headers', 'x-tea').expect(204)
  expect(asked.headers).toMatchObject({ 'access-control-allow-methods': 'GET', 'access-control-allow-headers': 'x-tea' })
  const answer = await ask.get('/cups/7').expect(200)
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-expose-headers': /X-RateLimit-Reset/ })
})
