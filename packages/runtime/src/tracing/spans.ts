import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { Failure } from '@rookery/failures'
import type { Tracing } from './tracing.ts'

/** What makes tracers and sends their spans: the SDK's provider. */
export type Provider = { getTracer(name: string): Tracer; shutdown(): Promise<void> }

const FLUSH_MILLISECONDS = 5000

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER } as const

/** traceparent of version 00 (W3C Trace Context, 3.2). */
const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

const spanContextOf = (text: string): SpanContext | undefined => {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? []
  return traceId && spanId && flags ? { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true } : undefined
}

const textOf = ({ traceId, spanId, traceFlags }: SpanContext) => `00-${traceId}-${spanId}-0${traceFlags & 1}`

/** How work ended. A failure that is the caller's own business is no error of the server's. */
const endOf = (error: unknown): { code: string; isFault: boolean } => {
  const code = error instanceof Failure ? error.kind : 'broken'
  return { code, isFault: code === 'broken' || code === 'unavailable' }
}

/** Traces by OpenTelemetry. The trace of what runs goes along with its promises. */
export const createTracing = (provider: Provider): Tracing => {
  const tracer = provider.getTracer('rookery')
  const running = new AsyncLocalStorage<string>()
  const contextOf = (parent: string): Context => {
    const given = spanContextOf(parent) ?? spanContextOf(running.getStore() ?? '')
    return given ? trace.setSpanContext(ROOT_CONTEXT, given) : ROOT_CONTEXT
  }
  return {
    current: () => running.getStore() ?? '',
    async span({ name, kind, parent, links = [] }, work) {
      const others = links.flatMap((link) => spanContextOf(link) ?? []).map((context) => ({ context }))
      const span = tracer.startSpan(name, { kind: KINDS[kind], links: others }, contextOf(parent))
      const text = textOf(span.spanContext())
      try {
        return await running.run(text, () =>
          work(text, (noted) => {
            if (noted.name) span.updateName(noted.name)
            if (noted.attributes) span.setAttributes(noted.attributes)
          }),
        )
      } catch (error) {
        const { code, isFault } = endOf(error)
        // Its kind alone: a message may name users.
        span.setAttribute('rookery.code', code)
        if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    // A collector that is away must not keep a process from ending.
    close: () => Promise.race([provider.shutdown(), pause(FLUSH_MILLISECONDS, undefined, { ref: false })]),
  }
}
