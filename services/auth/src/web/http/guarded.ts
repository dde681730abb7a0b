import type { RouteLimits } from '@rookery/http/limits'
import type { RequestHandler } from 'express'

/** Wraps a handler with the rate limit of wrong credentials per network address; `isWrong` identifies them among the errors. */
export const guarded =
  (limits: RouteLimits, handler: RequestHandler, isWrong: (error: unknown) => boolean): RequestHandler =>
  async (request, response, next) => {
    await limits.refuseBeyond('credentials', request, response)
    try {
      await handler(request, response, next)
    } catch (error) {
      if (isWrong(error)) await limits.countIn('credentials', request, response)
      throw error
    }
  }
