import { type Hit, type RateLimiter, retryAfterSeconds } from '@rookery/http/limits'

/** Counts hits; returns the seconds until the limit that was exceeded resets, else undefined. */
export type Throttle = (hits: readonly Hit[]) => Promise<number | undefined>

/** Limits on what people do with their logins. */
export const createThrottle =
  (given: { limiter: RateLimiter; now: () => number }): Throttle =>
  async (hits) => {
    const status = await given.limiter.count(hits)
    return status?.isExceeded ? retryAfterSeconds(status, given.now()) : undefined
  }
