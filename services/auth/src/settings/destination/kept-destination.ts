import type { Request, Response } from 'express'
import type { Frame, Link } from '../../web/html/index.ts'
import { cookieOf, queryOf } from '../../web/http/index.ts'
import { nextOf, nextQuery } from './next-path.ts'

const DAY = 24 * 3600 * 1000
/** What browsers keep of a cookie is 4096 characters. */
const MAX_LENGTH = 3000

/**
 * The page or app's request that a user returns to after following a link in a mail, kept in their browser. It is not in the mail: anyone
 * who knows an address could then have this server mail a link to an app of theirs.
 */
export type KeptDestination = {
  /** Keeps what the address of a request says for a day, in place of what was kept; nothing where it says nothing. */
  keep(request: Request, response: Response): void
  /** To signing in, and on to what was kept, which is forgotten. */
  takeSignInLink(request: Request, response: Response, frame: Frame): Link
  /** What was kept, as the address of a page says it. */
  query(request: Request, language: string): URLSearchParams
}

/** Over https the cookie's name keeps other hosts from setting it. */
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
