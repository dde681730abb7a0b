import type { Figure } from './figure.ts'

/** How often a cache held what was wanted, and how often not. */
export type CacheCounts = { hits: number; misses: number }

/** What a cache was of use. */
export const cacheFigures = (cache: string, counts: CacheCounts): Figure[] => [
  {
    name: 'rookery_cache_hits_total',
    help: 'Reads that a cache of this process answered.',
    count: () => [{ labels: { cache }, value: counts.hits }],
  },
  {
    name: 'rookery_cache_misses_total',
    help: 'Reads that a cache of this process could not answer.',
    count: () => [{ labels: { cache }, value: counts.misses }],
  },
]
