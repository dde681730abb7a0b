import type { RequestHandler } from 'express'

/** Headers that let pages of any origin read an answer and its headers (beyond-the-spec 3.4). */
export const ANY_ORIGIN: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Link, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id',
}

/** Answers CORS preflight requests: these methods, any header. Costs no rate limit and needs no token. */
export const preflight =
  ({ methods, headers = 'Authorization, Content-Type, Idempotency-Key' }: { methods: string; headers?: string }): RequestHandler =>
  (request, response, next) => {
    if (request.method !== 'OPTIONS') return next()
    response.writeHead(204, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': methods,
      // `*` does not cover Authorization.
      'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? headers,
      'Access-Control-Max-Age': '86400',
      Vary: 'Access-Control-Request-Headers',
    })
    response.end()
  }

/** Lets pages of any origin use the routes after it. */
export const crossOrigin = (methods: string): RequestHandler[] => [
  preflight({ methods }),
  (_request, response, next) => {
    response.set(ANY_ORIGIN)
    next()
  },
]
