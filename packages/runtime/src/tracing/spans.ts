import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { type Context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { Failure } from '@rookery/failures'
import type { Tracing } from './tracing.ts'

/** The SDK's provider, which creates tracers and sends their spans. */
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

/** The result of failed work. A failure caused by the caller is not an error of the server. */
const endOf = (error: unknown): { code: string; isFault: boolean } => {
  const code = error instanceof Failure ? error.kind : 'broken'
  return { code, isFault: code === 'broken' || code === 'unavailable' }
}

/** Tracing by OpenTelemetry. The current trace is kept in an AsyncLocalStorage. */
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
        // Only the kind: a message may contain user names.
        span.setAttribute('rookery.code', code)
        if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    // An unreachable collector must not block the shutdown.
    close: () => Promise.race([provider.shutdown(), pause(FLUSH_MILLISECONDS, undefined, { ref: false })]),
  }
}
