import { setTimeout as pause } from 'node:timers/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'

/** One value of a metric that has several. Labels come from small fixed sets, never from what people send. */
export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number }

/** Something a module counts from its start on, so that it only grows; or, as a gauge, something that is so much at the moment. */
export type Metric = {
  readonly name: string
  readonly help: string
  readonly kind?: 'gauge'
  count(): Counted | Promise<Counted>
}
type Counted = number | readonly Sample[]

/** What a registry shows: prom-client asks `get` each time someone looks. */
type Shown = { name: string; help: string; type: string; get(): unknown }

/** A metric that cannot be had in this time is left out of what is shown, in milliseconds. */
const TIMEOUT = 2000

/** A registry with the process's own metrics: processor, memory, the event loop's lag. */
export const createMetrics = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Adds something of ours to what a registry shows. */
export const show = (registry: Registry, shown: Shown): void => registry.registerMetric(shown as never)

/** What a metric says now; nothing when its source is unreachable, so that the others are shown all the same. */
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

/** Shows what modules count beside the process's own metrics. Metrics of one name, as of several caches, are shown together. */
export const showMetrics = (registry: Registry, metrics: readonly Metric[]): void => {
  for (const [name, together] of Map.groupBy(metrics, (metric) => metric.name)) {
    const { help, kind: type = 'counter' } = together[0]!
    const get = async () => ({ name, help, type, values: (await Promise.all(together.map(samplesOf))).flat() })
    show(registry, { name, help, type, get })
  }
}
