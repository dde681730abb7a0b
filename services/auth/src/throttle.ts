import { type Hit, type RateLimiter, retryAfterSeconds } from '@rookery/http/limits'

/** Counts hits; returns the seconds until the limit that was exceeded resets, else undefined. */
export type Throttle = (hits: readonly Hit[]) => Promise<number | undefined>

/** Limits on what people do with their logins. */
export const createThrottle =
  (deps: { limiter: RateLimiter; now: () => number }): Throttle =>
  async (hits) => {
    const status = await deps.limiter.count(hits)
    return status?.isExceeded ? retryAfterSeconds(status, deps.now()) : undefined
  }
