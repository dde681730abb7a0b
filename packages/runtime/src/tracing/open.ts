import { optional, type Setting, share, url } from '../environment.ts'
import type { Tracing } from './tracing.ts'

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    url({ describe: 'OTLP endpoint for traces over HTTP: http://collector:4318. No tracing when not set.' }),
  ),
  OTEL_TRACES_SAMPLER_ARG: share({ describe: 'Share of requests that are traced, from 0 to 1.', default: '1' }),
} satisfies Record<string, Setting<unknown>>

/** The collector of traces, and the sampled share. */
export type TracingConfig = { endpoint: string | undefined; share: number }

/** The configuration from the values of the settings. */
export const tracingConfig = (values: {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined
  OTEL_TRACES_SAMPLER_ARG: number
}): TracingConfig => ({ endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, share: values.OTEL_TRACES_SAMPLER_ARG })

/** Tracing as configured, sent to a collector in batches; undefined without an endpoint, and OpenTelemetry is then not loaded. */
export const openTracing = async ({ endpoint, share }: TracingConfig, service: string): Promise<Tracing | undefined> => {
  if (!endpoint) return undefined
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { createTracing }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('./spans.ts'),
  ])
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'rookery' }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  return createTracing(provider)
}
