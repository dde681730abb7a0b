import { recordedSpans, World } from '@rookery/test-world'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const spans = recordedSpans()
let world: World
beforeAll(async () => {
  world = await World.open({ tracing: spans.tracing })
})
afterAll(() => world.close())
beforeEach(() => spans.forget())

const traceOf = (name: string) => {
  const root = spans.all().find((span) => span.name === name)
  return spans.all().filter((span) => root && span.spanContext().traceId === root.spanContext().traceId)
}

/** The names from a span up to the root of its trace. */
const pathTo = (name: string, root: string): string[] => {
  const trace = traceOf(root)
  const byId = new Map(trace.map((span) => [span.spanContext().spanId, span]))
  const path: string[] = []
  for (let span = trace.find((each) => each.name === name); span; span = byId.get(span.parentSpanContext?.spanId ?? ''))
    path.push(span.name)
  return path
}

const POST = 'POST /api/v1/statuses'

test('a post is one trace: from the request through calls, outbox and bus to the stream that sends it', async () => {
  const { mara, joel } = await world.cast('mara', 'joel')
  await joel.follows(mara)
  await world.idle()
  const stream = await joel.listens('user')
  spans.forget()
  const said = await mara.says('@joel the words of no one else')
  await world.idle()
  await stream.hears(({ event, payload }) => event === 'update' && JSON.parse(payload ?? '{}').id === said.id)
  await stream.hears(({ event }) => event === 'notification')
  await stream.close()

  const publish = 'rookery.statuses.v1.Statuses/Publish'
  await expect.poll(() => pathTo(publish, POST)).toEqual([publish, POST])
  expect(pathTo('rookery.auth.v1.Tokens/Check', POST)).toEqual(['rookery.auth.v1.Tokens/Check', POST])
  expect(pathTo('statuses.v1 publish', POST).slice(-2)).toEqual([publish, POST])
  expect(pathTo('statuses.fan-out process', POST).slice(-2)).toEqual([publish, POST])
  await expect
    .poll(() => pathTo('rookery.statuses.v1.Views/ReadForViewers', POST))
    .toEqual(['rookery.statuses.v1.Views/ReadForViewers', 'live deliver', 'statuses.fan-out process', publish, POST])
  // The consequences of fan-out belong to the same trace: the mentioned are notified.
  expect(pathTo('notifications.intake process', POST).slice(-2)).toEqual([publish, POST])
})

test('spans tell what was asked and how it ended, never what people wrote or who they are', async () => {
  const { rosa } = await world.cast('rosa')
  spans.forget()
  await rosa.says('a secret of mine')
  const { id } = await rosa.says('another')
  await rosa.get(`/api/v1/statuses/${id}`)
  await rosa.get('/api/v1/statuses/404')
  await world.idle()
  await expect.poll(() => spans.all().filter(({ name }) => name === 'GET /api/v1/statuses/:id').length).toBe(2)
  const read = spans.all().filter(({ name }) => name === 'GET /api/v1/statuses/:id')
  expect(read.map(({ attributes }) => attributes)).toEqual(
    [200, 404].map((status) => ({
      'http.request.method': 'GET',
      'http.route': '/api/v1/statuses/:id',
      'http.response.status_code': status,
    })),
  )
  const missing = spans.all().find(({ attributes }) => attributes['rookery.code'] === 'not_found')
  // A missing status is not an error of the server.
  expect(missing?.status.code).toBe(0)
  const recorded = JSON.stringify(spans.all().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })))
  for (const secret of ['secret of mine', rosa.token, rosa.username, rosa.id, id]) expect(recorded).not.toContain(secret)
})

test('what callers say of traces of their own is not believed', async () => {
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  await world.asks('GET', '/api/v2/instance', { headers: { traceparent } })
  await expect.poll(() => spans.all().map(({ name }) => name)).toContain('GET /api/v2/instance')
  expect(spans.all().filter((span) => span.spanContext().traceId === 'a'.repeat(32))).toEqual([])
})
