import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Tracing } from '@rookery/runtime'
import { createTracing } from '@rookery/runtime/tracing'

/** Traces recorded in memory. */
type RecordedSpans = { readonly tracing: Tracing; all(): readonly ReadableSpan[]; forget(): void }

/** Starts without spans. */
export const recordedSpans = (): RecordedSpans => {
  const exporter = new InMemorySpanExporter()
  const tracing = createTracing(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
  return { tracing, all: () => exporter.getFinishedSpans(), forget: () => exporter.reset() }
}
