import type { Request, Response } from 'express'
import type { Frame, Link } from '../../web/html/index.ts'
import { cookieOf, queryOf } from '../../web/http/index.ts'
import { nextOf, nextQuery } from './next-path.ts'

const DAY = 24 * 3600 * 1000
/** The maximum length of the cookie's value: browsers limit a cookie to 4096 characters. */
const MAX_LENGTH = 3000

/**
 * A cookie with the page or authorization request to continue with after following a mailed link. It is not in the link itself: else anyone
 * who knows an address could have this server mail a link to an app of theirs.
 */
export type KeptDestination = {
  /** Stores the destination in the URL of a request for a day, replacing an earlier one; clears it if there is none. */
  keep(request: Request, response: Response): void
  /** The link to sign in and continue to the stored destination, which is cleared. */
  takeSignInLink(request: Request, response: Response, frame: Frame): Link
  /** The stored destination, as query parameters. */
  query(request: Request, language: string): URLSearchParams
}

/** Over https the prefix of the cookie's name prevents other hosts from setting it. */
export const keptDestination = ({ isSecure }: { isSecure: boolean }): KeptDestination => {
  const name = isSecure ? '__Host-rookery_next' : 'rookery_next'
  const settings = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const
  const kept = (request: Request) =>
    Object.fromEntries(new URLSearchParams(Buffer.from(cookieOf(request, name) ?? '', 'base64url').toString()))
  const query = (request: Request, language: string) => nextQuery(kept(request), language)
  const forget = (request: Request, response: Response) => {
    if (cookieOf(request, name) !== undefined) response.clearCookie(name, settings)
  }
  return {
    query,
    keep(request, response) {
      const next = String(new URLSearchParams(nextOf(queryOf(request))))
      const value = Buffer.from(next).toString('base64url')
      if (next && value.length <= MAX_LENGTH) response.cookie(name, value, { ...settings, maxAge: DAY })
      else forget(request, response)
    },
    takeSignInLink(request, response, { texts }) {
      forget(request, response)
      return { path: `/auth/sign_in?${query(request, texts.language)}`, name: texts.signIn.submit }
    },
  }
}
