import { pagePolicy, WIDE_STYLE } from '@rookery/pages'
import type { RequestHandler, Response } from 'express'

/** Where a page's forms may lead, redirects included, beside this server itself. */
type FormTargets = readonly string[]

/** Lets a page's forms lead to these places as well. */
export const allowFormTargets = (response: Response, targets: FormTargets): void => {
  response.setHeader('Content-Security-Policy', pagePolicy({ styles: [WIDE_STYLE], formTargets: ["'self'", ...targets] }))
}

/** Where the script of passkeys is. */
export const PASSKEYS_SCRIPT = '/auth/passkeys.js'

/** Lets a page run the script of passkeys, and no other. */
export const allowPasskeys = (response: Response, origin: string): void => {
  response.setHeader(
    'Content-Security-Policy',
    pagePolicy({ styles: [WIDE_STYLE], formTargets: ["'self'"], scripts: [`${origin}${PASSKEYS_SCRIPT}`] }),
  )
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
