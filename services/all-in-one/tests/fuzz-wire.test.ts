import { connect } from 'node:net'
import { multipart, type RawAnswer, type RawRequest, send } from '@rookery/test-world/raw-request'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BadInputHarness, openBadInput } from './bad-input.ts'
import { fuzz } from './fuzz.ts'

// Random bytes on a connection: requests that are altered, truncated, or invalid.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

/** How long half a request is left open, in milliseconds. */
const LEFT_OPEN = 60

/** Sends bytes, leaves the connection open for a moment, then disconnects. */
const exchange = (origin: string, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(origin)
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    const late = setTimeout(() => socket.destroy(), LEFT_OPEN)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      socket.end()
    })
    socket.on('close', () => {
      clearTimeout(late)
      resolve(Buffer.concat(chunks).toString('latin1'))
    })
  })

const form = multipart([
  { name: 'status', value: 'tea' },
  { name: 'file', value: 'bytes', file: 'a.png', type: 'image/png' },
])

const PATHS = [
  '/',
  '/api/v1/instance',
  '/api/v1/statuses',
  '/api/v2/media',
  '/oauth/token',
  '/oauth/authorize/x',
  '/auth/sign_in',
  '/media/x',
]
const STREAMS = ['/api/v1/streaming/user', '/api/v1/streaming/health', '/api/v1/streaming?stream=user']

const HEADERS = [
  'Host: y',
  'Content-Length: 5',
  'Content-Length: 6',
  'Content-Length: -1',
  'Content-Length: 1e3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: x',
  'Connection: close',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  'Expect: 100-continue',
  'Expect: tea',
  'Content-Type: application/json',
  'Content-Encoding: gzip',
  'Accept: text/html',
  'Range: bytes=0-,5-',
  ' folded: line',
  'No colon',
  ': no name',
  'Bad\0: name',
  `Long: ${'x'.repeat(9000)}`,
]

const message = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'CONNECT', 'TRACE', 'tea', ''),
    fc.constantFrom(...PATHS, ...STREAMS, '*', 'http://elsewhere.example/', '//', '/\u00e9', '?', ''),
    fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2', 'HTTP/9.9', ''),
    fc.array(fc.constantFrom(...HEADERS), { maxLength: 2 }),
    fc.boolean(),
    fc.constantFrom('', '{"status":"tea"}', 'status=tea', '5\r\nbytes\r\n0\r\n\r\n', 'zz\r\n', form.body.toString('latin1')),
  )
  .map(([method, path, version, headers, isForm, body]) => {
    const all = [...headers, ...(isForm ? [`Content-Type: ${form.headers['content-type']}`, `Content-Length: ${form.body.length}`] : [])]
    return Buffer.from(
      `${method} ${path} ${version}\r\n${['Host: x', ...all].join('\r\n')}\r\n\r\n${isForm ? form.body.toString('latin1') : body}`,
      'latin1',
    )
  })

const bytes = fc
  .tuple(
    message,
    fc.double({ min: 0.05, max: 1, noNaN: true }),
    fc.boolean(),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 }),
  )
  .map(([whole, part, isCut, changes]) => {
    const sent = Buffer.from(isCut ? whole.subarray(0, Math.ceil(whole.length * part)) : whole)
    for (const [at, byte] of changes) sent[at % sent.length] = byte
    return sent
  })

test('any bytes are answered or hung up on, and leave nothing behind', async () => {
  let sent = 0
  const judge = (_answer: RawAnswer, _request: RawRequest) => {}
  const request = bytes.map((body): RawRequest => ({ path: '/api/v1/instance', headers: {}, body }))
  const speak = async (origin: string, { body }: RawRequest): Promise<RawAnswer> => {
    sent++
    const text = await exchange(origin, body as Buffer)
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
    expect({ text: text.slice(0, 300), isKnown: text === '' || (status >= 100 && status < 500) }).toMatchObject({ isKnown: true })
    return { status, headers: {}, text, body: undefined, milliseconds: 0, cpuMilliseconds: 0 }
  }
  await fuzz(harness, request, judge, { speak, sideBySide: 24 })
  expect(sent).toBeGreaterThan(100)
  expect((await send(harness.world.origin, { path: '/api/v1/instance' })).status).toBe(200)
}, 120_000)
