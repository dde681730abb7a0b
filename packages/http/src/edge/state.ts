import type { Response } from 'express'

/** How much of a limit a caller has used; `resetsAt` in milliseconds since 1970. */
export type RateLimitStatus = { limit: number; remaining: number; resetsAt: number; isExceeded: boolean }

/** The state of a request until it is answered. */
export type RequestState = {
  readonly id: string
  /** The time of arrival, by `performance.now()` in milliseconds. */
  readonly arrivedAt: number
  /** Headers of the answer, whatever the answer is. */
  readonly headers: Record<string, string>
  /** The account of its token; empty until it is known. */
  accountId: string
  /** The rate limit closest to exhaustion, of those that the request counted in. */
  rateLimit: RateLimitStatus | undefined
}

/** The request state of an answer. */
export const stateOf = ({ locals }: Response): RequestState => locals['state']
