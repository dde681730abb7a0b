import { setTimeout as pause } from 'node:timers/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'

/** A value of a metric with labels. Labels come from small fixed sets, never from input. */
export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** A metric of a module: a counter since its start, or a gauge. */
export type Metric = {
  readonly name: string
  readonly help: string
  readonly kind?: 'gauge'
  count(): Counted | Promise<Counted>
}
type Counted = number | readonly Sample[]

/** A registered metric: prom-client calls `get` on each scrape. */
type RegisteredMetric = { name: string; help: string; type: string; get(): unknown }

/** A metric whose value takes longer than this, in milliseconds, is left out of the scrape. */
const TIMEOUT = 2000

/** A registry with the metrics of the process: processor, memory, event loop lag. */
export const createMetrics = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Registers a metric of our own type. */
export const registerMetric = (registry: Registry, metric: RegisteredMetric): void => registry.registerMetric(metric as never)

/** The current samples of a metric; empty when its source is unreachable, so that the others are still exposed. */
const samplesOf = async ({ count }: Metric): Promise<readonly Sample[]> => {
  const waiting = new AbortController()
  try {
    const late = pause(TIMEOUT, [], { signal: waiting.signal }).catch(() => [])
    const counted = await Promise.race([count(), late])
    return typeof counted === 'number' ? [{ labels: {}, value: counted }] : counted
  } catch {
    return []
  } finally {
    waiting.abort()
  }
}

/** Registers metrics of modules. Metrics of one name, as of several caches, are exposed together. */
export const registerMetrics = (registry: Registry, metrics: readonly Metric[]): void => {
  for (const [name, together] of Map.groupBy(metrics, (metric) => metric.name)) {
    const { help, kind: type = 'counter' } = together[0]!
    const get = async () => ({ name, help, type, values: (await Promise.all(together.map(samplesOf))).flat() })
    registerMetric(registry, { name, help, type, get })
  }
}
