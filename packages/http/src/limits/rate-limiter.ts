import type { RateLimitStatus } from '../edge/state.ts'
import { isCloser } from './rate-limit-status.ts'
import { createRouteLimits, type RouteLimits } from './route-limits.ts'
import { countHits, type Hit, type RateStore, windowEnd } from './store.ts'
import { RATE_LIMITS, type RateLimit } from './table.ts'

/** Counts hits against rate limits. */
export type RateLimiter = RouteLimits & {
  /** Counts hits in one round trip to the store. Undefined when limits are off, or nothing was counted. */
  count(hits: readonly Hit[]): Promise<RateLimitStatus | undefined>
}

const statusOf = (limit: RateLimit, count: number, { amount = 1 }: Hit, now: number): RateLimitStatus => ({
  limit: limit.max,
  remaining: Math.max(0, limit.max - count),
  resetsAt: windowEnd(limit, now),
  // A hit of 0 only checks: it is refused once the limit is used up, since the next hit would exceed it.
  isExceeded: amount === 0 ? count >= limit.max : count > limit.max,
})

/**
 * A rate limiter over fixed windows in a shared store. Requests count through express-rate-limit; use cases, which know no HTTP, count in
 * the same store. When off, it counts nothing and allows everything.
 */
export const createRateLimiter = (given: RateStore & { isOn: boolean }): RateLimiter => {
  const count: RateLimiter['count'] = async (hits) => {
    if (!given.isOn || hits.length === 0) return undefined
    const counts = await countHits(hits, given)
    const now = given.now()
    return hits
      .map((hit, index) => statusOf(RATE_LIMITS[hit.limit], counts[index] ?? 0, hit, now))
      .reduce((closest, each) => (isCloser(each, closest) ? each : closest))
  }
  return { ...createRouteLimits(given), count }
}
