import { optional, type Setting, share, url } from '../environment.ts'
import type { Tracing } from './tracing.ts'

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    url({ describe: 'OTLP endpoint for traces over HTTP: http://collector:4318. No tracing when not set.' }),
  ),
  OTEL_TRACES_SAMPLER_ARG: share({ describe: 'Share of requests that are traced, from 0 to 1.', default: '1' }),
} satisfies Record<string, Setting<unknown>>

/** Where traces go, and how many are made. */
export type TracingConfig = { endpoint: string | undefined; share: number }

/** The settings as a configuration. */
export const tracingConfig = (values: {
  OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined
  OTEL_TRACES_SAMPLER_ARG: number
}): TracingConfig => ({ endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT, share: values.OTEL_TRACES_SAMPLER_ARG })

/** Traces as configured, in batches to a collector; undefined, and nothing of OpenTelemetry loaded, when there is no place to send them. */
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
