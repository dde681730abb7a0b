import type { Response } from 'express'

/** How much of a limit a caller has used; `resetsAt` in milliseconds since 1970. */
export type RateLimitStatus = { limit: number; remaining: number; resetsAt: number; isExceeded: boolean }

/** What an edge knows of a request on its way to the answer. */
export type RequestState = {
  readonly id: string
  /** When it came, by `performance.now()` in milliseconds. */
  readonly arrivedAt: number
  /** Headers that its answer has, regardless of what it is. */
  readonly headers: Record<string, string>
  /** The account of its token; empty until one is known. */
  accountId: string
  /** The rate limit closest to exhaustion, of those it counted in. */
  rateLimit: RateLimitStatus | undefined
}

/** The state of the request that an answer is for. */
export const stateOf = ({ locals }: Response): RequestState => locals['state']
