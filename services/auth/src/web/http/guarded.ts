import type { RouteLimits } from '@rookery/http/limits'
import type { RequestHandler } from 'express'

/** A handler that is not run once too many secrets, codes or tokens from the same address were wrong; `isWrong` says which failures are. */
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
