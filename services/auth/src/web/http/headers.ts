import { pagePolicy, WIDE_STYLE } from '@rookery/pages'
import type { RequestHandler, Response } from 'express'

/** The form-action sources of a page in addition to this server; they apply to redirects too. */
type FormTargets = readonly string[]

/** Allows a page's forms to lead to further targets. */
export const allowFormTargets = (response: Response, targets: FormTargets): void => {
  response.setHeader('Content-Security-Policy', pagePolicy({ styles: [WIDE_STYLE], formTargets: ["'self'", ...targets] }))
}

/** The path of the passkey script. */
export const PASSKEYS_SCRIPT = '/auth/passkeys.js'

/** Allows a page to run the passkey script, and no other. */
export const allowPasskeys = (response: Response, origin: string): void => {
  response.setHeader(
    'Content-Security-Policy',
    pagePolicy({ styles: [WIDE_STYLE], formTargets: ["'self'"], scripts: [`${origin}${PASSKEYS_SCRIPT}`] }),
  )
}

/** Security headers of all responses of this service: no scripts, frames, caches or referrers. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  allowFormTargets(response, [])
  response.setHeader('Cache-Control', 'private, no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('X-Frame-Options', 'DENY')
  next()
}
