import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { guardedFetch, type Resolve } from './index.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** A server of this machine, and a fetch that may reach only that server, under any name. */
const serve = async (answer: RequestListener, { resolve }: { resolve?: Resolve } = {}) => {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const fetched = guardedFetch({
    baseUrl: 'https://own.example',
    mayConnect: (place) => place.address === '127.0.0.1' && place.port === port,
    resolve: resolve ?? (async () => [{ address: '127.0.0.1', family: 4 }]),
  })
  return { asked, port, fetched, at: (path = '/') => `http://there.example:${port}${path}` }
}

const page = (response: ServerResponse, body: string | Buffer, headers: Record<string, string> = {}) => {
  response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(body)
}

const strict = guardedFetch({ baseUrl: 'https://own.example' })

describe('what is fetched', () => {
  it('comes with its status, type and bytes; who asks says so', async () => {
    const { asked, fetched, at } = await serve((_request, response) => page(response.setHeader('X', '1'), 'tea'))
    const answer = await fetched({ url: at('/a?b=c#d'), accept: ['text/html', 'image/*'] })
    const { headers, ...rest } = answer
    expect({ ...rest, body: String(rest.body) }).toEqual({ url: at('/a?b=c#d'), status: 200, contentType: 'text/html', body: 'tea' })
    expect(headers['x']).toBe('1')
    expect(asked[0]?.url).toBe('/a?b=c')
    expect(asked[0]?.headers).toMatchObject({
      'user-agent': 'Rookery/0.1.0 (+https://own.example)',
      accept: 'text/html, image/*',
      connection: 'close',
    })
  })

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is unpacked from %s', async (encoding, pack) => {
    const { fetched, at } = await serve((_request, response) => page(response, pack('tea'), { 'Content-Encoding': encoding }))
    expect(String((await fetched({ url: at() })).body)).toBe('tea')
  })

  it('is sent to, with headers and bytes as given, and a redirect is no reason to send it elsewhere', async () => {
    const got: Buffer[] = []
    const { asked, fetched, at } = await serve(async (request, response) => {
      for await (const chunk of request) got.push(chunk)
      response.writeHead(307, { Location: '/elsewhere' }).end()
    })
    const answer = await fetched({
      url: at('/in'),
      post: { headers: { 'X-Kind': 'tea', 'Content-Length': 3 }, body: Buffer.from([1, 2, 3]) },
    })
    expect([answer.status, answer.headers.location]).toEqual([307, '/elsewhere'])
    expect(asked.map(({ method, url, headers }) => [method, url, headers['x-kind']])).toEqual([['POST', '/in', 'tea']])
    expect(Buffer.concat(got)).toEqual(Buffer.from([1, 2, 3]))
  })

  it('can be taken as it comes, within its limit, where the answer is one of success', async () => {
    const { fetched, at } = await serve(({ url }, response) => {
      if (url === '/missing') response.writeHead(404).end('gone')
      else response.writeHead(200).end(Buffer.alloc(300_000, 'a'))
    })
    const taken: Buffer[] = []
    const to = async (bytes: AsyncIterable<Buffer>) => {
      for await (const chunk of bytes) taken.push(chunk)
    }
    expect((await fetched({ url: at('/'), to })).body).toHaveLength(0)
    expect(Buffer.concat(taken)).toHaveLength(300_000)
    expect(await fetched({ url: at('/missing'), to })).toMatchObject({ status: 404 })
    await expect(fetched({ url: at('/'), to, maxBytes: 1000 })).rejects.toMatchObject({ fault: 'large' })
  })

  it('may have less time than usual', async () => {
    const { fetched, at } = await serve(() => {})
    await expect(fetched({ url: at('/'), milliseconds: 50 })).rejects.toMatchObject({ fault: 'slow' })
  })

  it('comes after three redirects and not after four', async () => {
    const { fetched, at } = await serve(({ url }, response) => {
      const left = Number(url?.slice(1))
      if (left === 0) page(response, 'tea')
      else response.writeHead(302, { Location: `/${left - 1}` }).end()
    })
    expect((await fetched({ url: at('/3') })).url).toBe(at('/0'))
    await expect(fetched({ url: at('/4') })).rejects.toMatchObject({ fault: 'redirects' })
  })

  it('may be a failure of theirs', async () => {
    const { fetched, at } = await serve((_request, response) => response.writeHead(503, { 'Content-Type': 'text/plain' }).end('no'))
    expect((await fetched({ url: at(), accept: ['text/html'] })).status).toBe(503)
  })
})

describe('what may not be asked', () => {
  it.each([
    ['ftp://there.example/', 'another scheme'],
    ['file:///etc/passwd', 'a file'],
    ['http://me:secret@there.example/', 'credentials'],
    ['https://own.example/', 'our own host'],
    ['http://OWN.example.:8080/', 'our own host in other words'],
    ['http://127.0.0.1/', 'loopback'],
    ['http://0x7f.1/', 'loopback in hexadecimal'],
    ['http://2130706433/', 'loopback as a number'],
    ['http://[::1]/', 'loopback of IPv6'],
    ['http://[::ffff:127.0.0.1]/', 'mapped loopback'],
    ['http://localhost/', 'a name of loopback'],
    ['http://8.8.8.8:25/', 'another port'],
    [`http://there.example/${'a'.repeat(5000)}`, 'very long'],
    ['tea', 'no address'],
  ])('%s: %s', async (url) => {
    await expect(strict({ url })).rejects.toMatchObject({ name: 'FetchError', fault: 'refused', mayPass: false })
  })

  it.each(['http://127.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/latest', 'file:///etc/passwd', 'https://own.example/', '//x:y@z'])(
    'a redirect to %s',
    async (location) => {
      const { fetched, at } = await serve((_request, response) => response.writeHead(302, { Location: location }).end())
      await expect(fetched({ url: at() })).rejects.toMatchObject({ fault: 'refused' })
    },
  )

  it('a name that leads to both worlds is asked in the public one only', async () => {
    const addresses = [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const { fetched, at } = await serve((_request, response) => page(response, 'tea'), { resolve: async () => addresses })
    expect(String((await fetched({ url: at() })).body)).toBe('tea')
  })

  it('a name that changes its address after it was judged is asked where it was judged', async () => {
    let asked = 0
    const { fetched, at } = await serve((_request, response) => page(response, 'tea'), {
      resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
    })
    expect(String((await fetched({ url: at() })).body)).toBe('tea')
    expect(asked).toBe(1)
    await expect(fetched({ url: at() })).rejects.toMatchObject({ fault: 'refused' })
  })
})

describe('hostile servers', () => {
  it('a byte a second ends after five seconds', async () => {
    const { fetched, at } = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      const timer = setInterval(() => response.write('a'), 1000)
      response.once('close', () => clearInterval(timer))
    })
    const begun = performance.now()
    await expect(fetched({ url: at() })).rejects.toMatchObject({ fault: 'slow', mayPass: true })
    expect(performance.now() - begun).toBeLessThan(30_000)
  })

  it('an endless answer ends at its limit', async () => {
    let isClosed: Promise<unknown> | undefined
    const { fetched, at } = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      isClosed = new Promise((resolve) => response.once('close', resolve))
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65536)));
      }
      response.on('drain', more)
      more()
    })
    await expect(fetched({ url: at() })).rejects.toMatchObject({ fault: 'large', mayPass: false })
    await isClosed
  })

  it('an announced size over the limit is not begun', async () => {
    const { fetched, at } = await serve((_request, response) => response.writeHead(200, { 'Content-Length': '10000000000' }).write('a'))
    await expect(fetched({ url: at() })).rejects.toMatchObject({ fault: 'large' })
  })

  it('what grows when unpacked counts unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024))
    const { fetched, at } = await serve((_request, response) => page(response, bomb, { 'Content-Encoding': 'gzip' }))
    await expect(fetched({ url: at() })).rejects.toMatchObject({ fault: 'large' })
  })

  it('what unpacks to nothing counts as it comes', async () => {
    const nothing = gzipSync('')
    const { fetched, at } = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' })
      const many = Buffer.concat(Array.from({ length: 3000 }, () => nothing))
      const more = () => {
        while (!response.destroyed && response.write(many));
      }
      response.on('drain', more)
      more()
    })
    await expect(fetched({ url: at() })).rejects.toMatchObject({ fault: 'large' })
  })

  it.each([
    ['a flood of headers', (response: ServerResponse) => response.setHeader('X', 'a'.repeat(100_000)).end(), 'unreachable'],
    ['a broken archive', (response: ServerResponse) => page(response, 'tea', { 'Content-Encoding': 'gzip' }), 'unreachable'],
    ['an unknown encoding', (response: ServerResponse) => page(response, 'tea', { 'Content-Encoding': 'constructor' }), 'type'],
    ['a type not asked for', (response: ServerResponse) => page(response, 'tea', { 'Content-Type': 'application/pdf' }), 'type'],
    [
      'an answer that breaks off',
      (response: ServerResponse) =>
        response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': '9' }).write('t', () => response.destroy()),
      'unreachable',
    ],
    ['no answer', (response: ServerResponse) => response.destroy(), 'unreachable'],
  ])('%s is a failure like any other', async (_, answer, fault) => {
    const { fetched, at } = await serve((_request, response) => answer(response))
    await expect(fetched({ url: at(), accept: ['text/html'] })).rejects.toMatchObject({ name: 'FetchError', fault })
  })

  it('a name that never resolves ends in time', async () => {
    const { fetched, at } = await serve(() => {}, { resolve: () => new Promise(() => {}) })
    await expect(fetched({ url: at() })).rejects.toMatchObject({ fault: 'slow' })
  })

  it('ends earlier when asked to', async () => {
    const { fetched, at } = await serve(() => {})
    await expect(fetched({ url: at(), signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ fault: 'slow' })
  })
})
