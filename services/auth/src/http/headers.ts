import { RATE_LIMIT_HEADERS } from '@rookery/http/limits'
import { pagePolicy } from '@rookery/pages'
import type { RequestHandler, Response } from 'express'

/** Where a page's forms may lead, redirects included, beside this server itself. */
export type FormTargets = readonly string[]

/** Lets a page's forms lead to these places as well. */
export const allowFormTargets = (response: Response, targets: FormTargets): void => {
  response.setHeader('Content-Security-Policy', pagePolicy({ formTargets: ["'self'", ...targets] }))
}

/** No scripts, no frames, no caches, no address of ours in others' logs: for every answer of this service. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  allowFormTargets(response, [])
  response.setHeader('Cache-Control', 'private, no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('X-Frame-Options', 'DENY')
  next()
}

/** Lets pages of any origin call these endpoints; a preflight is answered at once (beyond-the-spec 3.4). */
export const crossOrigin =
  (methods: string): RequestHandler =>
  (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.setHeader('Access-Control-Expose-Headers', RATE_LIMIT_HEADERS)
    if (request.method !== 'OPTIONS') return next()
    response.setHeader('Access-Control-Allow-Methods', methods)
    response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*')
    response.setHeader('Access-Control-Max-Age', '86400')
    response.status(204).end()
  }
