import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createGunzip, createGzip, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { after, every, immediate, isListening, isRunning, openWriter, readChunks, sendRequest, sleep, through } from './index.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rookery-handles-'))
})
afterAll(() => rm(folder, { recursive: true }))

const fails: [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('a fault')
    },
  ],
  ['rejects', () => Promise.reject(new Error('a fault'))],
]

describe('a timer', () => {
  test.each(fails)('hands over the error of work that %s, and goes on', async (_how, work) => {
    const { promise: third, resolve } = Promise.withResolvers<void>()
    const errors: unknown[] = []
    const onError = (error: unknown) => {
      if (errors.push(error) === 3) resolve()
    }
    const timer = every(1, work, { onError })
    await third
    timer.stop()
    expect(errors.slice(0, 3)).toEqual(Array(3).fill(new Error('a fault')))
  })

  test.each(fails)('that runs once hands over the error of work that %s', async (_how, work) => {
    expect(await new Promise((resolve) => after(1, work, { onError: resolve }))).toEqual(new Error('a fault'))
  })

  test.each(fails)('that runs soon hands over the error of work that %s', async (_how, work) => {
    expect(await new Promise((resolve) => immediate(work, { onError: resolve }))).toEqual(new Error('a fault'))
  })

  test('that is stopped does not run', async () => {
    let runs = 0
    const count = () => void runs++
    const onError = () => {}
    after(5, count, { onError }).stop()
    immediate(count, { onError }).stop()
    every(5, count, { onError, holdsProcess: false }).stop()
    await new Promise((resolve) => after(30, () => resolve(undefined), { onError }))
    expect(runs).toBe(0)
  })
})

describe('a socket', () => {
  test('is listened on or not', async () => {
    const path = join(folder, 'socket')
    expect(await isListening(path)).toBe(false)
    const server = createSocketServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => server.listen(path, resolve))
    expect(await isListening(path)).toBe(true)
    await new Promise((resolve) => server.close(resolve))
    expect(await isListening(path)).toBe(false)
  })
})

describe('a pause', () => {
  test('ends when its signal is aborted, before or meanwhile, and rejects neither time', async () => {
    const stopping = new AbortController()
    const pausing = sleep(600_000, stopping.signal)
    stopping.abort()
    expect(await pausing).toBeUndefined()
    expect(await sleep(600_000, stopping.signal)).toBeUndefined()
  })

  test('ends by itself without a signal', async () => {
    expect(await sleep(1, undefined)).toBeUndefined()
  })
})

describe('a request', () => {
  test.each<[string, string | undefined | (() => AsyncIterable<Buffer>)]>([
    ['nothing', undefined],
    ['text', 'sent'],
    [
      'chunks',
      async function* () {
        yield Buffer.from('se')
        yield Buffer.from('nt')
      },
    ],
  ])('sends %s and gets the response', async (_what, body) => {
    const server = createServer(async (asked, answer) => answer.end(`${asked.method} ${await text(asked)}`))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const sent = typeof body === 'function' ? body() : body
    const response = await sendRequest(url, { method: 'PUT', agent: false }, sent)
    expect(await text(response)).toBe(body === undefined ? 'PUT ' : 'PUT sent')
    server.close()
  })

  test.each([
    ['no one listens', undefined],
    ['the other side is silent', () => {}],
    ['the other side hangs up', (socket: { destroy(): void }) => socket.destroy()],
  ])('is rejected when %s', async (_when, serve) => {
    const server = createSocketServer(serve)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    if (!serve) await new Promise((resolve) => server.close(resolve))
    await expect(sendRequest(url, { agent: false, timeout: 100 })).rejects.toThrow()
    server.close()
  })

  test('is rejected when its body fails', async () => {
    const server = createServer((asked) => asked.resume())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const broken = async function* () {
      yield Buffer.from('half')
      throw new Error('a fault')
    }
    await expect(sendRequest(url, { method: 'PUT', agent: false }, broken())).rejects.toThrow('a fault')
    server.closeAllConnections()
    server.close()
  })

  test('survives a response that breaks off while nothing reads it', async () => {
    const server = createServer((_asked, answer) => {
      answer.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => answer.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const response = await sendRequest(url, { agent: false })
    await new Promise((resolve) => response.once('close', resolve))
    server.close()
  })
})

describe('a file', () => {
  test('is read in chunks, whole or in part', async () => {
    const path = join(folder, 'file')
    await writeFile(path, '0123456789')
    const read = async (options: Parameters<typeof readChunks>[1]) =>
      (await Array.fromAsync(readChunks(path, options))).map((chunk) => chunk.toString())
    expect(await read({})).toEqual(['0123456789'])
    expect(await read({ size: 4 })).toEqual(['0123', '4567', '89'])
    expect(await read({ range: { start: 3, end: 5 } })).toEqual(['345'])
    expect(await read({ range: { start: 8, end: 20 }, size: 1 })).toEqual(['8', '9'])
    expect(await read({ range: { start: 20, end: 30 } })).toEqual([])
  })

  test('that is not there is an error for its reader', async () => {
    await expect(readChunks(join(folder, 'none')).next()).rejects.toThrow('ENOENT')
  })
})

describe('a transform', () => {
  async function* chunks(...parts: (Buffer | Error)[]) {
    for (const part of parts) {
      if (part instanceof Error) throw part
      yield part
    }
  }
  const packed = gzipSync('a text')

  test('gives what it makes of a source', async () => {
    expect(
      Buffer.concat(await Array.fromAsync(through(chunks(packed.subarray(0, 5), packed.subarray(5)), createGunzip()))).toString(),
    ).toBe('a text')
  })

  test.each([
    ['the source', chunks(packed.subarray(0, 5), new Error('a fault')), /a fault/],
    ['the transform', chunks(Buffer.from('not packed')), /incorrect header/],
    ['an end that is missing', chunks(packed.subarray(0, 5)), /unexpected end/],
  ])('throws the error of %s', async (_what, source, error) => {
    await expect(Array.fromAsync(through(source, createGunzip()))).rejects.toThrow(error)
  })

  test('may be left in the middle', async () => {
    for await (const _chunk of through(chunks(Buffer.alloc(1_000_000)), createGzip({ level: 0 }))) break
  })
})

describe('a writer', () => {
  test('throws the error of its stream, whenever it came', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done() })
    const writer = openWriter(stream)
    await writer.write(Buffer.from('a'))
    stream.destroy(new Error('a fault'))
    await expect(writer.write(Buffer.from('b'))).rejects.toThrow('a fault')
    await expect(writer.end()).rejects.toThrow('a fault')
  })

  test('ends when all is written', async () => {
    const written: string[] = []
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      written.push(String(chunk))
      setImmediate(done)
    }
    const writer = openWriter(new Writable({ write }))
    await writer.write(Buffer.from('a'))
    await writer.write(Buffer.from('b'))
    await writer.end()
    expect(written).toEqual(['a', 'b'])
  })
})

describe('a process', () => {
  test('runs, also one of another user', () => {
    expect(isRunning(process.pid)).toBe(true)
    expect(isRunning(1)).toBe(true)
  })

  test('that has ended does not run', async () => {
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(child, 'exit')
    expect(isRunning(child.pid!)).toBe(false)
  })
})
