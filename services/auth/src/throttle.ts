import { type Hit, type RateLimiter, retryAfterSeconds } from '@rookery/http/limits'

/** Counts hits. Returns the seconds until an exceeded limit resets; undefined if none is exceeded. */
export type Throttle = (hits: readonly Hit[]) => Promise<number | undefined>

/** Rate limits of actions on logins. */
export const createThrottle =
  (deps: { limiter: RateLimiter; now: () => number }): Throttle =>
  async (hits) => {
    const status = await deps.limiter.count(hits)
    return status?.isExceeded ? retryAfterSeconds(status, deps.now()) : undefined
  }
