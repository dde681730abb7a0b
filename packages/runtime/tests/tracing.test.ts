import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppsDefinition } from '@rookery/contracts/auth'
import { LiveMessage } from '@rookery/contracts/events'
import { memoryEphemeral } from '@rookery/ephemeral'
import { Failure } from '@rookery/failures'
import { type Call, connect, handler, openConnection, serve } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { recordedSpans } from '@rookery/test-world'
import { expect, test } from 'vitest'
import { openTracing, tracedClient, tracedLive } from '../src/index.ts'
import { tracedHandler } from '../src/tracing/index.ts'

const call = (): Call => callWithin(30, 'the id of a request')

test('over a wire the caller’s span is the parent of the other side’s, and faults are marked without their words', async () => {
  const { tracing, all } = recordedSpans()
  const traces: string[] = []
  const served = handler(AppsDefinition, {
    read: async ({ trace }, { id }) => {
      traces.push(trace, tracing.current())
      if (id === 'broken') throw new Error('a secret')
      throw new Failure('not_found', 'no such app')
    },
    register: async () => {
      throw new Failure('broken', 'not served')
    },
  })
  const server = await serve([tracedHandler(served, tracing)], '127.0.0.1:0')
  const connection = openConnection(`127.0.0.1:${server.port}`)
  const apps = tracedClient(AppsDefinition, connect(AppsDefinition, connection), tracing)
  await expect(apps.read(call(), { id: '1' })).rejects.toThrow('no such app')
  await expect(apps.read(call(), { id: 'broken' })).rejects.toThrow()
  connection.close()
  await server.stop(0)

  const [inner, outer, brokenInner, brokenOuter] = all()
  expect(inner!.parentSpanContext?.spanId).toBe(outer!.spanContext().spanId)
  expect(outer!.parentSpanContext).toBe(undefined)
  const { traceId, spanId } = inner!.spanContext()
  expect(traces.slice(0, 2)).toEqual(Array(2).fill(`00-${traceId}-${spanId}-01`))
  expect([inner, outer].map((span) => [span!.attributes['rookery.code'], span!.status.code])).toEqual(Array(2).fill(['not_found', 0]))
  expect([brokenInner, brokenOuter].map((span) => [span!.attributes['rookery.code'], span!.status.code])).toEqual(
    Array(2).fill(['broken', 2]),
  )
  expect(JSON.stringify(all().map(({ attributes, status, events }) => [attributes, status, events]))).not.toContain('secret')
})

test('a live message goes on with its trace, and reads the same', async () => {
  const { tracing, all } = recordedSpans()
  const live = tracedLive(memoryEphemeral(Date.now).live, tracing)
  const got: string[] = []
  await live.subscribe({
    read(entry) {
      const { event } = LiveMessage.decode(entry.message)
      got.push(event?.$case === 'tokenRevoked' ? event.value.tokenId : '')
    },
  })
  const message = LiveMessage.encode({ event: { $case: 'tokenRevoked', value: { tokenId: '7' } } }).finish()
  await live.publish(message)
  await tracing.span({ name: 'act', kind: 'server', parent: '' }, async () => live.publish(message))
  expect(got).toEqual(['7', '7'])
  expect(all().map(({ name }) => name)).toEqual(['live deliver', 'act'])
  expect(all()[0]!.parentSpanContext?.spanId).toBe(all()[1]!.spanContext().spanId)
})

test('traces are sent to the collector that is named, and nothing is traced without one', async () => {
  expect(await openTracing({ endpoint: undefined, share: 1 }, 'tea')).toBe(undefined)
  const got: string[] = []
  const collector = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      got.push(`${request.url} ${body}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`
  for (const share of [1, 0]) {
    const tracing = await openTracing({ endpoint, share }, `tea-${share}`)
    await tracing!.span({ name: 'pour', kind: 'server', parent: '' }, async () => {})
    await tracing!.close()
  }
  await new Promise((resolve) => collector.close(resolve))
  expect(got).toHaveLength(1)
  expect(got[0]).toMatch(/^\/v1\/traces .*tea-1.*pour/s)
})

test('a collector that does not answer keeps no process from ending', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const tracing = await openTracing({ endpoint, share: 1 }, 'tea')
  await tracing!.span({ name: 'pour', kind: 'server', parent: '' }, async () => {})
  const begun = performance.now()
  await tracing!.close()
  expect(performance.now() - begun).toBeLessThan(8000)
  silent.closeAllConnections()
  await new Promise((resolve) => silent.close(resolve))
})
