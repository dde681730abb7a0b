import type { Request, RequestHandler, Response } from 'express'
import { type RateLimitInfo, type RateLimitRequestHandler, rateLimit } from 'express-rate-limit'
import { addressOf } from '../edge/address.ts'
import { type RateLimitStatus, stateOf } from '../edge/state.ts'
import { enforce } from './rate-limit-status.ts'
import { type RateStore, storeOf } from './store.ts'
import { type LimitName, RATE_LIMITS, type RateLimit } from './table.ts'

/**
 * Rate limits of routes, by the caller's address or the account of its token: express-rate-limit counts, and the headers of the API report.
 */
export type RouteLimits = {
  /** Counts each request of a route. A request without an account does not count in limits by account. */
  on(limit: LimitName): RequestHandler
  /** Counts a request in one limit, or concurrently in several. @throws LimitExceeded */
  countIn(limits: LimitName | readonly LimitName[], request: Request, response: Response): Promise<void>
  /** Refuses a request, without counting it, when the limit is used up. @throws LimitExceeded */
  refuseBeyond(limit: LimitName, request: Request, response: Response): Promise<void>
}

const subjectOf = ({ by }: RateLimit, request: Request, response: Response): string =>
  by === 'address' ? addressOf(request) : by === 'account' ? stateOf(response).accountId : ''

const propertyOf = (limit: LimitName) => `limit of ${limit}`

/** The middleware of one limit. It only counts; how the count is enforced is the same for all limits. */
const counting = (name: LimitName, given: RateStore): RateLimitRequestHandler => {
  const limit: RateLimit = RATE_LIMITS[name]
  return rateLimit({
    windowMs: limit.windowSeconds * 1000,
    limit: limit.max,
    store: storeOf(name, given),
    keyGenerator: (request, response) => subjectOf(limit, request, response),
    skip: (request, response) => subjectOf(limit, request, response) === '',
    handler: (_request, _response, next) => next(),
    requestPropertyName: propertyOf(name),
    legacyHeaders: false,
    standardHeaders: false,
    validate: false,
  })
}

const statusOf = ({ limit, used, remaining, resetTime }: RateLimitInfo): RateLimitStatus => ({
  limit,
  remaining,
  resetsAt: resetTime?.getTime() ?? 0,
  isExceeded: used > limit,
})

/** Reports the count in the headers; returns the failure if the limit is exceeded. */
const exceededBy = (response: Response, info: RateLimitInfo, now: number): unknown => {
  try {
    return enforce(response, statusOf(info), now)
  } catch (exceeded) {
    return exceeded
  }
}

/** All rate limits as middleware. When off, they count nothing and allow everything. */
export const createRouteLimits = (given: RateStore & { isOn: boolean }): RouteLimits => {
  const names = Object.keys(RATE_LIMITS) as LimitName[]
  const counters = new Map(names.map((name) => [name, counting(name, given)]))
  const on: RouteLimits['on'] = (name) => {
    const count = counters.get(name)!
    if (!given.isOn) return (_request, _response, next) => next()
    return (request, response, next) =>
      count(request, response, (error?: unknown) => {
        const info = (request as unknown as Record<string, RateLimitInfo | undefined>)[propertyOf(name)]
        next(error ?? (info && exceededBy(response, info, given.now())))
      })
  }
  /** Resolves to the failure instead of throwing it, so that the other limits are still counted and reported. */
  const countOnce = (name: LimitName, request: Request, response: Response): Promise<unknown> =>
    new Promise((resolve) => void on(name)(request, response, resolve))
  return {
    on,
    async countIn(limits, request, response) {
      if (!given.isOn) return
      const counted = await Promise.all([limits].flat().map((name) => countOnce(name, request, response)))
      const exceeded = counted.find((error) => error !== undefined)
      if (exceeded !== undefined) throw exceeded
    },
    async refuseBeyond(name, request, response) {
      if (!given.isOn) return
      const limit: RateLimit = RATE_LIMITS[name]
      const counted = await counters.get(name)!.getKey(subjectOf(limit, request, response))
      if (!counted || counted.totalHits < limit.max) return
      enforce(response, { limit: limit.max, remaining: 0, resetsAt: counted.resetTime?.getTime() ?? 0, isExceeded: true }, given.now())
    },
  }
}
