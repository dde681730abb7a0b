import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readBody } from './body.ts'
import { type Deadlines, openServer, type WebServer } from './server.ts'

/** Deadlines far shorter than those outside tests. */
const SHORT: Partial<Deadlines> = {
  headers: 400,
  body: { silence: 400, bytesPerSecond: 1000, afterAnswer: 200 },
  bodyAtStop: { silence: 200, bytesPerSecond: 64_000, afterAnswer: 0 },
  headersAtStop: 200,
  stop: 3000,
}
/** Below the deadlines outside tests, and far above those of this server, in milliseconds. */
const SOON = 10_000

let server: WebServer
let answer: (request: IncomingMessage, response: ServerResponse) => unknown
let upgrade: (request: IncomingMessage, socket: Duplex) => void
let errors: unknown[]
const clients: Socket[] = []
const openWith = (deadlines: Partial<Deadlines>) =>
  openServer(
    {
      listener: (asked, response) => answer(asked, response),
      upgrade: (asked, socket) => upgrade(asked, socket),
      onError: (error) => errors.push(error),
      deadlines,
    },
    { host: '127.0.0.1', port: 0 },
  )
beforeEach(async () => {
  errors = []
  upgrade = () => {
    throw new Error('no upgrades')
  }
  answer = async (asked, response) => {
    await readBody(asked, { files: ['file'], fileBytes: 1000 })
    response.end('whole')
  }
  server = await openWith(SHORT)
})
/** Replaces the server by one whose deadlines leave room on a busy machine. */
const allow = async (body: Deadlines['body']) => {
  await server.close()
  server = await openWith({ ...SHORT, body })
}
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await server.close()
})

const open = (): Socket => {
  const socket = connect(server.port, '127.0.0.1')
  clients.push(socket)
  return socket
}

/** Everything received on a connection until the server closes it, and how long that took. */
const until = (socket: Socket): Promise<{ text: string; milliseconds: number }> =>
  new Promise((resolve) => {
    const begun = performance.now()
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve({ text, milliseconds: performance.now() - begun }))
  })

const send = (bytes: string) => {
  const socket = open()
  socket.write(bytes)
  return until(socket)
}
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n'

test('a connection that asks and asks without waiting for answers is closed, and little of it is worked on', async () => {
  const { promise: never } = Promise.withResolvers<void>()
  let answering = 0
  answer = () => {
    answering++
    return never
  }
  const ended = await send('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000))
  expect([ended.text, answering]).toEqual(['', 32])
})

test('requests sent one after the other without waiting are answered in order', async () => {
  answer = (asked, response) => response.end(asked.url)
  const asked = Array.from({ length: 32 }, (_, at) => `GET /${at} HTTP/1.1\r\nHost: x\r\n${at === 31 ? 'Connection: close\r\n' : ''}\r\n`)
  const { text } = await send(asked.join(''))
  expect([...text.matchAll(/^\/(\d+)/gm)].map(([, at]) => Number(at))).toEqual(asked.map((_, at) => at))
})

describe('a connection is ended soon', () => {
  test('without an answer when it sends nothing', async () => {
    const ended = await until(open())
    expect(ended.text).toBe('')
    expect(ended.milliseconds).toBeLessThan(SOON)
  })

  test.each([
    ['half a header', 'GET / HTTP/1.1\r\nHost:', 'The request took too long'],
    ['half a body', `${HEAD}Content-Length: 10\r\n\r\nhalf`, 'The request took too long'],
    ['half a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\nff\r\nhalf`, 'The request took too long'],
    ['no chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, 'The request took too long'],
    ['a chunk of no length', `${HEAD}Transfer-Encoding: chunked\r\n\r\nnone\r\n`, 'The request is not valid HTTP'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'The request names more than one host'],
    ['an expectation', `${HEAD}Expect: tea\r\nContent-Length: 1\r\n\r\na`, 'The expectation of the request is not understood'],
  ])('with 400 when it sends %s', async (_case, bytes, error) => {
    const ended = await send(bytes)
    expect(ended.text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(JSON.parse(ended.text.split('\r\n\r\n')[1]!)).toEqual({ error })
    expect(ended.milliseconds).toBeLessThan(SOON)
  })

  test('when it sends a byte now and then', async () => {
    const socket = open()
    const ended = until(socket)
    socket.write(`${HEAD}Content-Length: 1000\r\n\r\n`)
    const drip = setInterval(() => socket.write('x'), 50)
    expect(await ended).toMatchObject({ text: expect.stringContaining('The request took too long') })
    clearInterval(drip)
  })

  test('when it goes on sending what no endpoint reads', async () => {
    answer = (_asked, response) => response.end('answered')
    const socket = open()
    const ended = until(socket)
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`)
    const flood = setInterval(() => socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`), 20)
    expect((await ended).text).toMatch(/^HTTP\/1\.1 200 [\s\S]*answered$|^HTTP\/1\.1 200 [\s\S]*answered\r\n0\r\n\r\n$/)
    clearInterval(flood)
  })
})

test('a body that comes in slowly but steadily is read', async () => {
  // The body takes longer than the idle timeout, and arrives ten times faster than the minimum.
  await allow({ silence: 1500, bytesPerSecond: 200, afterAnswer: 200 })
  const socket = open()
  const ended = until(socket)
  socket.write(`${HEAD}Content-Length: 2000\r\nConnection: close\r\n\r\n`)
  for (let sent = 0; sent < 2000; sent += 200) {
    socket.write('x'.repeat(200))
    await pause(100)
  }
  expect((await ended).text).toContain('whole')
})

test('a body that the server reads late is not late', async () => {
  answer = async (asked, response) => {
    await pause(1000)
    await readBody(asked)
    response.end('whole')
  }
  const ended = await send(`${HEAD}Content-Length: 100000\r\nConnection: close\r\n\r\na=${'x'.repeat(99_998)}`)
  expect(ended.text).toContain('whole')
})

test('an answer comes before the rest of a body that is refused, and the connection goes on', async () => {
  await allow({ silence: 10_000, bytesPerSecond: 1000, afterAnswer: 10_000 })
  answer = async (asked, response) => {
    const status = await readBody(asked, { bytes: 100 }).then(
      () => 200,
      () => 422,
    )
    response.writeHead(status).end('.')
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (body: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request({ port: server.port, host: '127.0.0.1', method: 'POST', agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject)
      sent.write('a='.repeat(1))
      sent.end(body)
    })
  expect([await ask('x'.repeat(3_000_000)), await ask('x')]).toEqual([422, 200])
  agent.destroy()
})

test.each([
  [
    'throws',
    () => {
      throw new Error('a fault')
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('a fault')
    },
  ],
])('a listener that %s is reported and answered with 500', async (_how, listener) => {
  answer = listener
  const ended = await send('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(ended.text).toMatch(/^HTTP\/1\.1 500/)
  expect(errors).toEqual([new Error('a fault')])
})

const UPGRADE = 'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n'

test.each([
  ['HTTP/2, as Java and curl --http2 offer it', 'GET', 'h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'],
  ['TLS', 'GET', 'TLS/1.0'],
  ['something with a similar name', 'GET', 'websockets'],
  ['a WebSocket, by a method that opens none', 'POST', 'websocket'],
])('a request that offers %s is answered as if it did not', async (_what, method, protocols) => {
  answer = (asked, response) => response.end(`answered ${asked.method}`)
  const { text } = await send(`${method} / HTTP/1.1\r\nHost: x\r\nUpgrade: ${protocols}\r\nConnection: upgrade, close\r\n\r\n`)
  expect(text).toMatch(new RegExp(`^HTTP/1.1 200 OK[^]*answered ${method}$`))
  expect(errors).toEqual([])
})

test.each(['websocket', 'WebSocket', 'h2c, websocket'])('a request that offers %s goes to who takes upgrades', async (protocols) => {
  upgrade = (_asked, socket) => socket.end('taken')
  expect((await send(UPGRADE.replace('websocket', protocols))).text).toBe('taken')
})

test('an upgrade that fails is reported and closed', async () => {
  const ended = await send(UPGRADE)
  expect(ended.text).toBe('')
  expect(errors).toEqual([new Error('no upgrades')])
})

test('a stop waits for what runs, and neither for idle connections nor for half of a request', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  answer = async (asked, response) => {
    if (asked.url === '/idle') return response.end('first')
    if (asked.method === 'POST') await readBody(asked)
    else {
      begin()
      await pause(500)
    }
    response.end('whole')
  }
  const idle = open()
  const idleEnded = until(idle)
  idle.write('GET /idle HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise((resolve) => idle.once('data', resolve))
  const running = send('GET /running HTTP/1.1\r\nHost: x\r\n\r\n')
  const halves = ['', 'GET /', `${HEAD}Content-Length: 10\r\n\r\nhalf`, `${HEAD}Transfer-Encoding: chunked\r\n\r\n`].map(send)
  await begun
  const begunStop = performance.now()
  await server.close()
  expect(performance.now() - begunStop).toBeLessThan(SOON)
  expect((await running).text).toContain('whole')
  await Promise.all([...halves, idleEnded])
})

test('a stop does not wait for an answer that never comes', async () => {
  answer = () => {}
  const ended = send('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await pause(50)
  const begun = performance.now()
  await server.close()
  expect(performance.now() - begun).toBeLessThan(SOON)
  expect((await ended).text).toBe('')
})

test('a stop does not wait for an upgraded connection whose client never reads', async () => {
  const { promise: upgraded, resolve } = Promise.withResolvers<void>()
  upgrade = (_asked, socket) => {
    socket.end(Buffer.alloc(50_000_000))
    resolve()
  }
  open().pause().write(UPGRADE)
  await upgraded
  const begun = performance.now()
  await server.close()
  expect(performance.now() - begun).toBeLessThan(SOON)
})

test('a port that is taken is an error', async () => {
  const deps = { listener: () => {}, onError: () => {} }
  await expect(openServer(deps, { host: '127.0.0.1', port: server.port })).rejects.toThrow('EADDRINUSE')
})
