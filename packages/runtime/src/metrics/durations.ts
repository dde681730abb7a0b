import type { Registry } from 'prom-client'
import { registerMetric } from './metric.ts'

/** A histogram of durations in seconds, by labels. */
type Durations = {
  /** `values` are those of the labels, in their order. */
  observe(values: readonly string[], seconds: number): void
}

type Row = { readonly values: readonly string[]; readonly counts: number[]; sum: number }

/** The buckets' upper bounds, in seconds: from a cached page to a request whose client has given up. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

const labelled = (labels: readonly string[], values: readonly string[]) =>
  Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']))

/** A row in Prometheus's histogram format: cumulative buckets, sum and count. */
const valuesOf = (name: string, labels: readonly string[], { values, counts, sum }: Row) => {
  const own = labelled(labels, values)
  let total = 0
  const buckets = counts.map((count, index) => {
    total += count
    return { metricName: `${name}_bucket`, labels: { ...own, le: String(BOUNDS[index] ?? '+Inf') }, value: total }
  })
  return [...buckets, { metricName: `${name}_sum`, labels: own, value: sum }, { metricName: `${name}_count`, labels: own, value: total }]
}

/**
 * Registers a histogram. It is on the hot path three times a request: prom-client's histogram hashes its labels each time, this one joins
 * them.
 */
export const createDurations = (
  registry: Registry,
  { name, help, labels }: { name: string; help: string; labels: readonly string[] },
): Durations => {
  const rows = new Map<string, Row>()

  const add = (key: string, values: readonly string[]): Row => {
    const row = { values: [...values], counts: BOUNDS.map(() => 0).concat(0), sum: 0 }
    rows.set(key, row)
    return row
  }

  registerMetric(registry, {
    name,
    help,
    type: 'histogram',
    get: () => ({ name, help, type: 'histogram', values: [...rows.values()].flatMap((row) => valuesOf(name, labels, row)) }),
  })
  return {
    observe(values, seconds) {
      const key = values.join(' ')
      const row = rows.get(key) ?? add(key, values)
      let bucket = 0
      while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket++
      row.counts[bucket]!++
      row.sum += seconds
    },
  }
}
