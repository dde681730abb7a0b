import { request } from 'node:http'
import { type LiveEntry, memoryEphemeral } from '@rookery/ephemeral'
import { expect, test } from 'vitest'
import { countedLive, createDurations, createMetrics, nameRoute, type RequestObserver, registerMetrics, serveHttp } from '../src/index.ts'

const onError = (error: unknown) => {
  throw error
}

const shown = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
  (await metrics.metrics()).split('\n').filter((line) => line.startsWith(name))

test('a duration is counted in every bucket that holds it, by its labels', async () => {
  const metrics = createMetrics()
  const durations = createDurations(metrics, { name: 'tea_seconds', help: 'Tea.', labels: ['kind', 'end'] })
  durations.observe(['green', 'ok'], 0.005)
  durations.observe(['green', 'ok'], 2)
  durations.observe(['black', 'ok'], 60)
  const green = await shown(metrics, 'tea_seconds_bucket{kind="green"')
  expect(green.map((line) => Number(line.split(' ').at(-1)))).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2])
  expect(green.at(-1)).toBe('tea_seconds_bucket{kind="green",end="ok",le="+Inf"} 2')
  expect(await shown(metrics, 'tea_seconds_sum')).toEqual([
    'tea_seconds_sum{kind="green",end="ok"} 2.005',
    'tea_seconds_sum{kind="black",end="ok"} 60',
  ])
  expect(await shown(metrics, 'tea_seconds_count')).toEqual([
    'tea_seconds_count{kind="green",end="ok"} 2',
    'tea_seconds_count{kind="black",end="ok"} 1',
  ])
  expect(await shown(metrics, '# TYPE tea_seconds')).toEqual(['# TYPE tea_seconds histogram'])
})

test('metrics of one name are shown together, and one that cannot be read hides no other', async () => {
  const metrics = createMetrics()
  const pot = (service: string, value: number) => ({
    name: 'pots',
    help: 'Pots.',
    kind: 'gauge' as const,
    count: () => [{ labels: { service }, value }],
  })
  const away = {
    name: 'cups_total',
    help: 'Cups.',
    count: async () => {
      throw new Error('the kitchen is away')
    },
  }
  registerMetrics(metrics, [pot('a', 1), away, pot('b', 2)])
  expect(await shown(metrics, 'pots')).toEqual(['pots{service="a"} 1', 'pots{service="b"} 2'])
  expect(await shown(metrics, 'cups_total')).toEqual([])
  expect(await shown(metrics, '# TYPE pots')).toEqual(['# TYPE pots gauge'])
})

const ask = (port: number, path: string, method = 'GET') =>
  new Promise<void>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, agent: false }, (answer) => answer.resume().on('end', resolve))
      .on('error', reject)
      .end()
  })

test('requests are reported by their pattern, never by their path; streams are not', async () => {
  const reported: string[] = []
  const observe: RequestObserver = ({ method, route, status, seconds }) => {
    expect(seconds).toBeGreaterThan(0)
    reported.push(`${method} ${route} ${status}`)
  }
  const http = (asked: Parameters<typeof nameRoute>[0], response: import('node:http').ServerResponse) => {
    if (asked.url === '/cups/7') nameRoute(asked, '/cups/:id')
    // As Express sets it.
    if (asked.url === '/pots/7') Object.assign(asked, { route: { path: '/:id' }, baseUrl: '/pots' })
    if (asked.url === '/stream') response.setHeader('content-type', 'text/event-stream')
    response.statusCode = asked.url === '/lost' ? 404 : 200
    response.end('ok')
  }
  const server = await serveHttp({ http, observe, onError }, { host: '127.0.0.1', port: 0 })
  for (const path of ['/cups/7', '/pots/7', '/lost', '/stream']) await ask(server.port, path)
  await ask(server.port, '/cups/7', 'PROPFIND')
  await server.close()
  expect(reported).toEqual(['GET /cups/:id 2xx', 'GET /pots/:id 2xx', 'GET other 4xx', 'other /cups/:id 2xx'])
})

test('live messages are counted as they are sent and as they arrive, and so are gaps', async () => {
  const memory = memoryEphemeral(Date.now)
  const { live, metrics } = countedLive(memory.live)
  const got: number[] = []
  const read = ({ message: [first] }: LiveEntry) => void got.push(first!)
  await live.subscribe({ read })
  await live.subscribe({
    read,
    onGap({ isKept }) {
      if (!isKept) got.push(0)
    },
  })
  expect(await live.publish(Uint8Array.of(1))).toBe(true)
  expect(got).toEqual([1, 1])
  live.reportGap()
  expect(got).toEqual([1, 1, 0])
  expect(metrics.map((metric) => metric.count())).toEqual([1, 2, 2])
  await memory.close()
})
