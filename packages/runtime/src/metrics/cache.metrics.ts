import type { CachePool, CacheUsage } from '@rookery/cache'
import type { Metric } from './metric.ts'

const HELPS = {
  rookery_cache_hits_total: 'Reads that a cache of this process answered.',
  rookery_cache_misses_total: 'Reads that a cache of this process could not answer.',
  rookery_cache_entries: 'Entries of a cache of this process.',
  rookery_cache_bytes: 'Memory that the entries of a cache keep alive, in bytes.',
} as const

/** The metrics of a pool's caches: entries, bytes, hits and misses, and the common limit. */
export const cacheMetrics = (pool: CachePool): Metric[] => {
  const ofEach = (name: keyof typeof HELPS, value: (usage: CacheUsage) => number): Metric => ({
    name,
    help: HELPS[name],
    ...(name.endsWith('_total') ? {} : { kind: 'gauge' as const }),
    count: () => pool.usage().map((usage) => ({ labels: { cache: usage.cache }, value: value(usage) })),
  })
  return [
    ofEach('rookery_cache_hits_total', ({ hits }) => hits),
    ofEach('rookery_cache_misses_total', ({ misses }) => misses),
    ofEach('rookery_cache_entries', ({ entries }) => entries),
    ofEach('rookery_cache_bytes', ({ bytes }) => bytes),
    {
      name: 'rookery_cache_max_bytes',
      help: 'Memory that a cache may take, together with the others of its service, in bytes.',
      kind: 'gauge',
      count: () => pool.usage().map(({ cache }) => ({ labels: { cache }, value: pool.maxBytes })),
    },
  ]
}
