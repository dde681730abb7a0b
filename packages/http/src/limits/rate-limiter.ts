import type { Request, Response } from 'express'
import { addressOf } from '../edge/address.ts'
import { type RateLimitStatus, stateOf } from '../edge/state.ts'
import { createRouteLimits, type RouteLimits } from './route-limits.ts'
import { enforce, isCloser } from './standing.ts'
import { countHits, type Hit, type RateStore, windowEnd } from './store.ts'
import { RATE_LIMITS, type RateLimit } from './table.ts'

/** Counts what is limited. */
export type RateLimiter = RouteLimits & {
  /** Counts hits in one trip to the store. Undefined when limits are off, or nothing was counted. */
  count(hits: readonly Hit[]): Promise<RateLimitStatus | undefined>
  /** Counts a request of the public by its address and the account of its token, in one trip to the store. @throws LimitExceeded */
  countRequest(request: Request, response: Response): Promise<void>
}

const statusOf = (limit: RateLimit, count: number, { amount = 1 }: Hit, now: number): RateLimitStatus => ({
  limit: limit.max,
  remaining: Math.max(0, limit.max - count),
  resetsAt: windowEnd(limit, now),
  // Who only looks is refused once the limit is used up: the next hit would exceed it.
  isExceeded: amount === 0 ? count >= limit.max : count > limit.max,
})

/**
 * A rate limiter over fixed windows in a shared store. Routes with a limit of their own count by express-rate-limit; every request of the
 * API, and use cases that know no HTTP, ask the same store. Switched off, it counts nothing and lets everything pass.
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
  return {
    ...createRouteLimits(given),
    count,
    async countRequest(request, response) {
      if (!given.isOn) return
      const { accountId } = stateOf(response)
      const status = await count([
        { limit: 'address', by: addressOf(request) },
        ...(accountId === '' ? [] : [{ limit: 'account', by: accountId } as const]),
      ])
      if (status) enforce(response, status, given.now())
    },
  }
}
