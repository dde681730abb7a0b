import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { serveHttp } from '../src/index.ts'

const onError = (error: unknown) => {
  throw error
}

/** The answer received so far, and a promise of the whole. */
const ask = (port: number, path: string) => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: whole, resolve: end, reject } = Promise.withResolvers<string>()
  request({ host: '127.0.0.1', port, path, agent: false }, (answer: IncomingMessage) => {
    let text = ''
    begin()
    answer.on('data', (part) => {
      text += part
    })
    answer.on('end', () => end(text))
  })
    .on('error', reject)
    .end()
  return { begun, whole }
}

test('an HTTP server that closes takes no more, ends its streams and finishes what it began', async () => {
  const waiting = new Map<string, ServerResponse>()
  const http = (asked: IncomingMessage, response: ServerResponse) => {
    response.write('a')
    waiting.set(asked.url ?? '', response)
  }
  const endStreams = async () => waiting.get('/stream')?.end(' stream ended')
  const server = await serveHttp({ http, endStreams, onError }, { host: 'localhost', port: 0 })
  const [stream, page] = [ask(server.port, '/stream'), ask(server.port, '/page')]
  await Promise.all([stream.begun, page.begun])
  const closed = server.close()
  expect(await stream.whole).toBe('a stream ended')
  await expect(ask(server.port, '/late').whole).rejects.toThrow('ECONNREFUSED')
  waiting.get('/page')?.end(' page')
  expect(await page.whole).toBe('a page')
  await closed
})

test('an HTTP server that drains answers, and has each answer end its connection', async () => {
  const server = await serveHttp({ http: (_asked, response) => void response.end('a page'), onError }, { host: '127.0.0.1', port: 0 })
  const connectionOf = async () => (await fetch(`http://127.0.0.1:${server.port}/`)).headers.get('connection')
  expect(await connectionOf()).toBe('keep-alive')
  server.drain()
  expect(await connectionOf()).toBe('close')
  await server.close()
})

test('a port that is taken is an error', async () => {
  const http = () => {}
  const server = await serveHttp({ http, onError }, { host: '127.0.0.1', port: 0 })
  await expect(serveHttp({ http, onError }, { host: '127.0.0.1', port: server.port })).rejects.toThrow('EADDRINUSE')
  await server.close()
})
