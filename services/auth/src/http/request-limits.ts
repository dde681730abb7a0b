import type { IncomingMessage } from 'node:http'
import { type LimitName, type RateLimiter, type RateLimitStatus, rateLimitHeaders, retryAfterSeconds } from '@rookery/http/limits'
import type { RequestHandler, Response } from 'express'
import { PageFault } from './fault.ts'

/** Rate limits of requests, by address. Each answer carries the headers of the limit closest to exhaustion (spec, Limits 1). */
export type RequestLimits = {
  /** The address a request comes from, behind trusted proxies. */
  addressOf(request: IncomingMessage): string
  /** Counts a request; refuses it beyond the limit of its address. Preflights are free. */
  countRequest: RequestHandler
  /** Counts a request in a limit of its own, by address. @throws PageFault throttled beyond it */
  countIn(limit: LimitName, request: IncomingMessage, response: Response): Promise<void>
  /** A handler that is not run once too many secrets, codes or tokens from the same address were wrong; `isWrong` says which failures are. */
  guarded(handler: RequestHandler, isWrong: (error: unknown) => boolean): RequestHandler
  /** Refuses to look at another secret once too many from the same address were wrong. @throws PageFault throttled */
  refuseGuesses(request: IncomingMessage, response: Response): Promise<void>
  /** Counts a secret that was wrong. @throws PageFault throttled when it was one too many */
  countWrongGuess(request: IncomingMessage, response: Response): Promise<void>
}

type Given = { limiter: RateLimiter; addressOf: (request: IncomingMessage) => string; now: () => number }

/** Request limits over the shared store. */
export const createRequestLimits = ({ limiter, addressOf, now }: Given): RequestLimits => {
  const enforce = (response: Response, status: RateLimitStatus | undefined) => {
    if (!status) return
    const shown: RateLimitStatus | undefined = response.locals['rateLimit']
    if (!shown || status.isExceeded || status.remaining < shown.remaining) {
      response.locals['rateLimit'] = status
      response.set(rateLimitHeaders(status))
    }
    if (status.isExceeded) throw new PageFault('throttled', 429, { retryAfterSeconds: retryAfterSeconds(status, now()) })
  }
  const count = async (limit: LimitName, request: IncomingMessage, response: Response, amount: number) => {
    const status = await limiter.count([{ limit, by: addressOf(request), amount }])
    // A limit that was only looked at is of no concern until it is used up.
    if (amount > 0 || status?.isExceeded) enforce(response, status)
  }

  const refuseGuesses: RequestLimits['refuseGuesses'] = (request, response) => count('credentials', request, response, 0)
  const countWrongGuess: RequestLimits['countWrongGuess'] = (request, response) => count('credentials', request, response, 1)

  return {
    addressOf,
    countRequest: async (request, response, next) => {
      if (request.method !== 'OPTIONS') enforce(response, await limiter.countRequest({ address: addressOf(request) }))
      next()
    },
    countIn: (limit, request, response) => count(limit, request, response, 1),
    refuseGuesses,
    countWrongGuess,
    guarded: (handler, isWrong) => async (request, response, next) => {
      await refuseGuesses(request, response)
      try {
        await handler(request, response, next)
      } catch (error) {
        if (isWrong(error)) await countWrongGuess(request, response)
        throw error
      }
    },
  }
}
