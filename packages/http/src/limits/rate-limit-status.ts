import { Failure } from '@rookery/failures'
import type { Response } from 'express'
import { type RateLimitStatus, stateOf } from '../edge/state.ts'

/** The failure for an exceeded rate limit. */
export class LimitExceeded extends Failure {
  /** Seconds until it resets, for Retry-After. */
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super('exhausted', 'Too many requests')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether one limit is closer to exhaustion than another; if both are exceeded, whether it resets later. */
export const isCloser = (one: RateLimitStatus, other: RateLimitStatus): boolean => {
  if (one.isExceeded !== other.isExceeded) return one.isExceeded
  return one.isExceeded ? one.resetsAt > other.resetsAt : one.remaining < other.remaining
}

/** Seconds until a limit resets, for Retry-After. */
export const retryAfterSeconds = ({ resetsAt }: RateLimitStatus, now: number): number => Math.max(1, Math.ceil((resetsAt - now) / 1000))

/**
 * Reports a rate limit in an answer's headers (spec, Limits 1; the reset as ISO 8601 with microseconds, beyond-the-spec 1.5). Of several
 * limits, the headers describe the one closest to exhaustion. `now` in milliseconds since 1970.
 * @throws LimitExceeded
 */
export const enforce = (response: Response, status: RateLimitStatus, now: number): void => {
  const state = stateOf(response)
  if (!state.rateLimit || isCloser(status, state.rateLimit)) {
    state.rateLimit = status
    state.headers['X-RateLimit-Limit'] = String(status.limit)
    state.headers['X-RateLimit-Remaining'] = String(status.remaining)
    state.headers['X-RateLimit-Reset'] = new Date(status.resetsAt).toISOString().replace('Z', '000Z')
  }
  if (status.isExceeded) throw new LimitExceeded(retryAfterSeconds(status, now))
}
